import { messageOf } from '../base/errors';
import type { SourceKind } from '../config/serverDefinition';
import { ConsentNeeded } from '../connection/consentNeeded';
import { InputNeeded } from '../connection/inputNeeded';
import type { ConnectionState } from '../connection/serverConnection';
import { SignInNeeded } from '../connection/signInNeeded';
import type { PushState } from '../connection/streamWatch';
import type { SubscriptionFacts } from '../connection/subscriptions';
import type { Era } from '../connection/wire';
import type { ListFacts } from './pagedList';

/** One reason why a server shows nothing or does not update; `words` are somebody else's. */
export type Finding =
  | {
      readonly kind: 'refused' | 'broken' | 'failed' | 'signIn' | 'consent' | 'input' | 'portInUse' | 'locked';
      readonly words: string;
    }
  | { readonly kind: 'resourcesFailed' | 'templatesFailed'; readonly words: string }
  | { readonly kind: 'hidden' | 'notConnected' | 'connecting' | 'stopped' | 'retry' }
  | { readonly kind: 'noCapability' | 'listing' | 'notListed' }
  | { readonly kind: 'empty'; readonly templates: number }
  | { readonly kind: 'unusable'; readonly count: number }
  | { readonly kind: 'filtered'; readonly shown: number; readonly total: number }
  | { readonly kind: 'noSubscribe'; readonly polled: boolean }
  | { readonly kind: 'subscribeRefused'; readonly count: number }
  | { readonly kind: 'streamEnded' | 'noStream' | 'streamWaiting' | 'noListChanged' | 'nothingOpen' }
  | { readonly kind: 'otherProcess' }
  | { readonly kind: 'era'; readonly era: Era; readonly version: string };

/** What is known of a server. */
export interface HealthFacts {
  /** Why nothing may start. */
  readonly refusal: string | undefined;
  readonly state: ConnectionState;
  readonly signInNeeded: SignInNeeded | undefined;
  readonly launch: 'stdio' | 'http' | 'sse' | undefined;
  readonly source: SourceKind;
  readonly hidden: boolean;
  readonly resources: ListFacts;
  readonly templates: ListFacts;
  /** How many of the resources pass the filter. */
  readonly shown: number;
  readonly subscriptions: SubscriptionFacts;
  readonly push: PushState | undefined;
  /** Its resources are read again from time to time. */
  readonly polled: boolean;
  /** What the server wrote and how it ended, since it was started last. */
  readonly lines: readonly string[];
}

const PORT_IN_USE =
  /EADDRINUSE|address (?:is )?already in use|only one usage of each socket address|port \d+ is (?:already )?in use/i;
const LOCKED =
  /SQLITE_BUSY|database (?:\S+ )?is locked|ELOCKED|EBUSY|(?:could not|cannot|can't|failed to|unable to) (?:acquire|obtain|get|take)\b.{0,40}\block|lock(?:ed)? (?:is )?(?:already )?held|locked by another|another instance|lock ?file .{0,80}exists/i;

/** Why a server shows nothing or does not update, the weightiest reason first. Empty only where all is well. */
export function healthOf(facts: HealthFacts): readonly Finding[] {
  const { state } = facts;
  const connection = connectionFindings(facts);
  const clash = clashes(facts);
  return [
    ...(facts.hidden ? [{ kind: 'hidden' } as const] : []),
    ...connection,
    ...clash,
    ...(connection.some(({ kind }) => kind === 'failed') ? [{ kind: 'retry' } as const] : []),
    ...(state.kind === 'connected' ? [...listFindings(facts), ...updateFindings(facts)] : []),
    ...(state.kind === 'connected' || clash.length > 0 ? otherProcess(facts) : []),
    ...(state.kind === 'connected'
      ? [{ kind: 'era', era: state.info.era, version: state.info.protocolVersion } as const]
      : []),
  ];
}

/** Whether a finding is a reason, and not a mere fact to know. */
export function isReason({ kind }: Finding): boolean {
  return !['era', 'retry', 'otherProcess', 'nothingOpen', 'noListChanged'].includes(kind);
}

function connectionFindings({ refusal, state, signInNeeded, launch }: HealthFacts): Finding[] {
  if (launch === undefined) {
    return [{ kind: 'broken', words: state.kind === 'failed' ? state.error.message : '' }];
  }
  if (refusal !== undefined) {
    return [{ kind: 'refused', words: refusal }];
  }
  const signIn: Finding[] = signInNeeded ? [{ kind: 'signIn', words: signInNeeded.message }] : [];
  switch (state.kind) {
    case 'connected':
      return signIn;
    case 'failed':
      if (state.error instanceof ConsentNeeded) {
        return [{ kind: 'consent', words: state.error.message }];
      }
      if (state.error instanceof InputNeeded) {
        return [{ kind: 'input', words: state.error.message }];
      }
      return state.error instanceof SignInNeeded ? signIn : [{ kind: 'failed', words: state.error.message }];
    default:
      return [{ kind: state.kind }];
  }
}

/** What a second process of the same server does to the first: it finds its port or its files taken. */
function clashes({ launch, lines }: HealthFacts): Finding[] {
  if (launch !== 'stdio') {
    return [];
  }
  const port = lines.find((line) => PORT_IN_USE.test(line));
  const lock = lines.find((line) => LOCKED.test(line));
  return [
    ...(port === undefined ? [] : [{ kind: 'portInUse', words: port } as const]),
    ...(lock === undefined ? [] : [{ kind: 'locked', words: lock } as const]),
  ];
}

function listFindings({ state, resources, templates, shown }: HealthFacts): Finding[] {
  if (state.kind === 'connected' && !state.info.resources) {
    return [{ kind: 'noCapability' }];
  }
  const total = resources.items.length;
  const unusable = resources.failures.length + templates.failures.length;
  const findings: Finding[] = [];
  if (resources.state === 'failed') {
    findings.push({ kind: 'resourcesFailed', words: messageOf(resources.error) });
  }
  if (templates.state === 'failed') {
    findings.push({ kind: 'templatesFailed', words: messageOf(templates.error) });
  }
  if (resources.state === 'loading') {
    findings.push({ kind: 'listing' });
  }
  if (resources.state === 'idle') {
    findings.push({ kind: 'notListed' });
  }
  if (resources.state === 'loaded' && total === 0) {
    findings.push({ kind: 'empty', templates: templates.items.length });
  }
  if (unusable > 0) {
    findings.push({ kind: 'unusable', count: unusable });
  }
  if (shown < total) {
    findings.push({ kind: 'filtered', shown, total });
  }
  return findings;
}

function updateFindings({ state, subscriptions, push, polled }: HealthFacts): Finding[] {
  if (state.kind !== 'connected' || !state.info.resources) {
    return [];
  }
  const { info } = state;
  const findings: Finding[] = [];
  if (!info.subscribe) {
    findings.push({ kind: 'noSubscribe', polled });
  } else {
    if (subscriptions.refused > 0) {
      findings.push({ kind: 'subscribeRefused', count: subscriptions.refused });
    }
    if (subscriptions.streamEnded) {
      findings.push({ kind: 'streamEnded' });
    }
    if (subscriptions.wanted === 0) {
      findings.push({ kind: 'nothingOpen' });
    }
  }
  if (push === 'none' && (info.subscribe || info.listChanged)) {
    findings.push({ kind: 'noStream' });
  }
  if (push === 'waiting' && (info.subscribe || info.listChanged)) {
    findings.push({ kind: 'streamWaiting' });
  }
  if (!info.listChanged) {
    findings.push({ kind: 'noListChanged' });
  }
  return findings;
}

/** The editor's own MCP support reads the same files, and starts a process of its own of what stands there. */
function otherProcess({ launch, source }: HealthFacts): Finding[] {
  return launch === 'stdio' && (source === 'workspace' || source === 'user') ? [{ kind: 'otherProcess' }] : [];
}
