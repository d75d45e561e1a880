// A server of both eras over any transport: raw JSON-RPC, so that it can also break the rules where a scenario asks.
import { delay, Faults } from './faults';
import { FixtureContent } from './fixtureContent';
import { legacyInput, modernInput } from './fixtureInput';
import { MessageLog, type HttpFacts } from './messageLog';
import {
  envelopeVersion,
  isObject,
  LEGACY_VERSIONS,
  methodNotFound,
  MODERN_VERSION,
  RpcFailure,
  SERVER_INFO_KEY,
  stringOf,
  unsupportedVersion,
  type Incoming,
  type RequestId,
} from './messages';
import type { Peer } from './peer';
import { Publisher } from './publisher';
import type { Fault, FixtureEra, JsonObject, ResourceSpec, RpcError, Scenario } from './scenario';

const CACHEABLE = ['server/discover', 'resources/list', 'resources/templates/list', 'resources/read'];

export class FixtureServer {
  readonly log = new MessageLog();
  readonly content: FixtureContent;
  readonly faults: Faults;
  readonly peers = new Set<Peer>();
  readonly publisher: Publisher;
  /** Called where the scenario says that the server dies. */
  onExit: (code: number) => void = () => undefined;

  constructor(
    readonly era: FixtureEra,
    scenario: Scenario,
  ) {
    this.content = new FixtureContent(scenario);
    this.faults = new Faults(() => this.content.scenario);
    this.publisher = new Publisher(this.content, this.peers);
  }

  get scenario(): Scenario {
    return this.content.scenario;
  }

  get info(): JsonObject {
    const { name = 'fixture', title, version = '1.0.0' } = this.scenario;
    return { name, title, version };
  }

  /** Takes one message; resolves when it has been dealt with, never rejects. */
  async receive(peer: Peer, message: Incoming, http?: HttpFacts): Promise<void> {
    const { id, method, params } = message;
    const common = { peer: peer.id, method, id, params, ...(http === undefined ? {} : { http }) };
    if (method === undefined) {
      this.log.add({ ...common, kind: 'response', detail: message });
      if (id !== undefined) peer.questions.get(id)?.(message);
    } else if (id === undefined) {
      this.log.add({ ...common, kind: 'notification' });
      this.#notified(peer, method, params);
    } else {
      this.log.add({ ...common, kind: 'request' });
      await this.#request(peer, { id, method, params, message });
    }
  }

  #notified(peer: Peer, method: string, params: JsonObject | undefined): void {
    if (method !== 'notifications/cancelled') return;
    const requestId = params?.requestId;
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    peer.listens.delete(requestId);
    peer.cancelled.add(requestId);
  }

  async #request(peer: Peer, request: Request): Promise<void> {
    const { id, method, params } = request;
    const fault = this.faults.take(method);
    if (fault?.delay !== undefined) await delay(fault.delay);
    if (fault?.never === true || this.#probeSwallowed(method)) return;
    if (fault?.httpStatus !== undefined) {
      peer.wire.refuse(id, fault.httpStatus);
      return;
    }
    // The outcome is settled before the wait: an answer that is held back is an old answer.
    const outcome = await this.#outcome(peer, request, fault);
    if (outcome === undefined) return;
    if (method === 'resources/list' && this.scenario.changeOnList === true) this.publisher.listChanged('everyone');
    await this.faults.pass(method, params?.uri);
    if (peer.cancelled.delete(id)) return;
    peer.wire.answer({ jsonrpc: '2.0', id, ...outcome.body }, outcome.httpStatus);
    if (method === 'resources/subscribe' && outcome.httpStatus === 200 && this.scenario.updateOnSubscribe === true) {
      this.publisher.updated(stringOf(params?.uri));
    }
  }

  async #outcome(peer: Peer, request: Request, fault: Fault | undefined): Promise<Outcome | undefined> {
    if (fault?.raw !== undefined) return { body: fault.raw, httpStatus: 200 };
    try {
      const result = await this.#result(peer, request, fault);
      if (result === undefined) return undefined;
      return { body: { result: this.#decorated(request, result) }, httpStatus: 200 };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      return { body: { error: toJson(error.error) }, httpStatus: error.httpStatus };
    }
  }

  #probeSwallowed(method: string): boolean {
    if (method !== 'server/discover') return false;
    if (this.scenario.probe === 'exit') this.onExit(1);
    return this.scenario.probe === 'exit' || this.scenario.probe === 'ignore';
  }

  /** The answer's result; undefined where none is to be sent (now). */
  async #result(peer: Peer, request: Request, fault: Fault | undefined): Promise<JsonObject | undefined> {
    const { params, message } = request;
    if (fault?.error !== undefined) throw new RpcFailure(fault.error);
    const modern = this.#isModern(message);
    if (this.era === 'modern' && !modern) throw unsupportedVersion(legacyVersion(params));
    if (modern && envelopeVersion(message) !== MODERN_VERSION) throw unsupportedVersion(envelopeVersion(message));
    if (fault?.result !== undefined) return fault.result;
    const question = modern ? undefined : this.scenario.askAt?.[request.method];
    if (question !== undefined) await peer.ask(request.id, question.method, question.params);
    const own = modern ? await this.#modern(peer, request) : this.#legacy(peer, request);
    return own === 'shared' ? this.#shared(peer, request) : own;
  }

  #isModern(message: Incoming): boolean {
    return this.era !== 'legacy' && envelopeVersion(message) !== undefined;
  }

  async #modern(peer: Peer, { id, method, params }: Request): Promise<JsonObject | undefined | 'shared'> {
    const { capabilities } = this.content;
    if (method === 'server/discover' && this.scenario.probe !== 'refuse') {
      return { supportedVersions: [MODERN_VERSION], capabilities, instructions: this.scenario.instructions };
    }
    if (method === 'subscriptions/listen') {
      await this.faults.pass(method, undefined);
      if (!peer.cancelled.delete(id)) this.publisher.listen(peer, id, params?.notifications);
      return undefined;
    }
    return 'shared';
  }

  #legacy(peer: Peer, { method, params }: Request): JsonObject | 'shared' {
    if (method === 'initialize') {
      peer.initialized = true;
      return {
        protocolVersion: this.scenario.protocolVersion ?? legacyVersion(params, LEGACY_VERSIONS) ?? LEGACY_VERSIONS[0],
        capabilities: this.content.capabilities,
        serverInfo: this.info,
        instructions: this.scenario.instructions,
      };
    }
    if (method === 'ping') return {};
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
      return this.publisher.subscribe(peer, method, params?.uri);
    }
    return 'shared';
  }

  async #shared(peer: Peer, request: Request): Promise<JsonObject | undefined> {
    const { method, params } = request;
    switch (method) {
      case 'resources/list':
        return this.content.listResources(params);
      case 'resources/templates/list':
        return this.content.listTemplates(params);
      case 'completion/complete':
        return this.content.complete(params);
      case 'resources/read':
        return this.#read(peer, request);
      default:
        throw methodNotFound(method);
    }
  }

  async #read(peer: Peer, { id, params, message }: Request): Promise<JsonObject | undefined> {
    const uri = stringOf(params?.uri);
    const modern = this.#isModern(message);
    const resource = this.content.find(uri);
    const asked =
      resource?.input && (modern ? modernInput(resource.input, params) : await legacyInput(peer, id, resource));
    if (asked?.kind === 'result') return asked.result;
    const contents = resource?.never === true ? undefined : this.content.read(uri, asked?.answers);
    if (resource !== undefined) await this.#takeTime(peer, id, resource, params);
    if (resource?.never === true) return undefined;
    if (contents === undefined) throw new RpcFailure(this.scenario.notFound ?? notFound(uri, modern));
    return resource?.ttlMs === undefined || !modern ? { contents } : { contents, ttlMs: resource.ttlMs };
  }

  async #takeTime(peer: Peer, id: RequestId, resource: ResourceSpec, params: JsonObject | undefined): Promise<void> {
    const { delay: whole = 0, progress = [] } = resource;
    const progressToken = isObject(params?._meta) ? params._meta.progressToken : undefined;
    for (const report of progress) {
      await delay(whole / (progress.length + 1));
      if (progressToken === undefined) continue;
      const body = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...report } };
      peer.wire.relate(id, body);
    }
    if (whole > 0) await delay(whole / (progress.length + 1));
  }

  #decorated({ method, message }: Request, result: JsonObject): JsonObject {
    if (!this.#isModern(message)) return result;
    const { ttlMs = 0, cacheScope = 'private' } = this.scenario;
    const ttl = typeof ttlMs === 'number' ? ttlMs : (ttlMs[method] ?? 0);
    const caching: JsonObject =
      CACHEABLE.includes(method) && result.resultType === undefined ? { ttlMs: ttl, cacheScope } : {};
    const meta = isObject(result._meta) ? result._meta : {};
    return { resultType: 'complete', ...caching, ...result, _meta: { [SERVER_INFO_KEY]: this.info, ...meta } };
  }
}

interface Outcome {
  body: JsonObject;
  httpStatus: number;
}

interface Request {
  id: RequestId;
  method: string;
  params: JsonObject | undefined;
  message: Incoming;
}

function legacyVersion(params: JsonObject | undefined, known?: readonly string[]): string | undefined {
  const version = params?.protocolVersion;
  return typeof version === 'string' && (known === undefined || known.includes(version)) ? version : undefined;
}

function notFound(uri: string, modern: boolean): RpcError {
  return { code: modern ? -32602 : -32002, message: `Resource not found: ${uri}`, data: { uri } };
}

function toJson(error: RpcError): JsonObject {
  return { code: error.code, message: error.message, data: error.data };
}
