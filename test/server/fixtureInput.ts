// How a read asks for input before it answers, in the ways of both eras.
import { isObject, RpcFailure, stringOf, type RequestId } from './messages';
import type { Peer } from './peer';
import type { InputSpec, Json, JsonObject, ResourceSpec } from './scenario';

/** Either the result to send now, or everything that was answered. */
export type InputOutcome =
  { kind: 'result'; result: JsonObject; answers?: undefined } | { kind: 'answers'; answers: Json[] };

/** One round: `requestState` carries the answers of the earlier ones. */
export function modernInput(spec: InputSpec, params: JsonObject | undefined): InputOutcome {
  const responses = isObject(params?.inputResponses) ? params.inputResponses : {};
  const answers = [...answersIn(params?.requestState), ...Object.values(responses).map((answer) => answer ?? null)];
  const refused = refusal(spec, answers);
  if (refused !== undefined) return refused;
  const left = spec.requests.slice(answers.length);
  const asked = left.length === 0 && spec.endless === true ? spec.requests.slice(-1) : left;
  if (asked.length === 0) return { kind: 'answers', answers };
  const requests = (spec.together === true ? asked : asked.slice(0, 1)).map((request, index) => [
    `input-${answers.length + index}`,
    { method: 'elicitation/create', params: request },
  ]);
  const inputRequests = Object.fromEntries(requests) as JsonObject;
  const requestState = Buffer.from(JSON.stringify(answers)).toString('base64');
  return { kind: 'result', result: { resultType: 'input_required', inputRequests, requestState } };
}

export async function legacyInput(peer: Peer, id: RequestId, { uri, input }: ResourceSpec): Promise<InputOutcome> {
  if (input === undefined) return { kind: 'answers', answers: [] };
  const { requests, byError, endless } = input;
  if (byError === true) {
    if (peer.visited.has(uri) && endless !== true) return { kind: 'answers', answers: [] };
    peer.visited.add(uri);
    throw new RpcFailure({
      code: -32042,
      message: 'An address has to be visited.',
      data: { elicitations: [...requests] },
    });
  }
  const answers: Json[] = [];
  for (const request of requests) {
    const { result, error } = await peer.ask(id, 'elicitation/create', request);
    answers.push(result ?? error ?? null);
    const refused = refusal(input, answers);
    if (refused !== undefined) return refused;
  }
  return { kind: 'answers', answers };
}

function refusal({ refused }: InputSpec, answers: readonly Json[]): InputOutcome | undefined {
  const actions = answers.map((answer) => (isObject(answer) ? stringOf(answer.action) : ''));
  const action = actions.find((one) => one !== 'accept');
  if (action === undefined) return undefined;
  if (refused === undefined) throw new RpcFailure({ code: -32000, message: `No input: ${action}` });
  return { kind: 'result', result: { contents: [{ uri: 'input://refused', text: refused }] } };
}

function answersIn(state: Json | undefined): Json[] {
  return typeof state === 'string' ? (JSON.parse(Buffer.from(state, 'base64').toString()) as Json[]) : [];
}
