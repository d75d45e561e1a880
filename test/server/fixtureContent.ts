// The state of a scenario and its era-neutral answers: lists, reads, completions.
import { fixtureBytes } from './fixtureBytes';
import { isObject, RpcFailure, stringOf } from './messages';
import type {
  CompletionSpec,
  ContentPart,
  Contents,
  Json,
  JsonObject,
  RawPart,
  ResourceSpec,
  Scenario,
  TemplateSpec,
} from './scenario';

const CURSOR = 'page:';

export class FixtureContent {
  readonly #readings = new Map<string, number>();
  resources: ResourceSpec[];
  templates: TemplateSpec[];

  constructor(public scenario: Scenario) {
    this.resources = [...(scenario.resources ?? [])];
    this.templates = [...(scenario.templates ?? [])];
  }

  get capabilities(): JsonObject {
    const completions = this.templates.some((template) => template.completions !== undefined);
    const derived: JsonObject = { resources: { subscribe: true, listChanged: true } };
    return this.scenario.capabilities ?? (completions ? { ...derived, completions: {} } : derived);
  }

  /** Replaces parts of the scenario while the server runs. */
  change(part: Partial<Scenario>): void {
    this.scenario = { ...this.scenario, ...part };
    if (part.resources !== undefined) this.resources = [...part.resources];
    if (part.templates !== undefined) this.templates = [...part.templates];
  }

  find(uri: string): ResourceSpec | undefined {
    return this.resources.find((resource) => resource.uri === uri);
  }

  setContents(uri: string, contents: string | Contents): void {
    const old = { ...(this.find(uri) ?? { uri }), text: undefined, contents: undefined, error: undefined };
    const next: ResourceSpec = { ...old, ...(typeof contents === 'string' ? { text: contents } : { contents }) };
    const index = this.resources.findIndex((resource) => resource.uri === uri);
    if (index >= 0) this.resources[index] = next;
    else this.resources.push({ ...next, listed: false });
  }

  remove(uri: string): void {
    this.resources = this.resources.filter((resource) => resource.uri !== uri);
  }

  listResources(params: JsonObject | undefined): JsonObject {
    const entries = this.resources.filter((resource) => resource.listed !== false).map(resourceEntry);
    return this.#page('resources', entries, params);
  }

  listTemplates(params: JsonObject | undefined): JsonObject {
    return this.#page('resourceTemplates', this.templates.map(templateEntry), params);
  }

  /** The contents of a URI; undefined when the scenario does not know it. */
  read(uri: string, input?: Json): Json[] | undefined {
    const resource = this.find(uri) ?? this.#ofTemplate(uri);
    if (resource === undefined) return undefined;
    const reading = (this.#readings.get(uri) ?? 0) + 1;
    this.#readings.set(uri, reading);
    if (resource.error !== undefined) throw new RpcFailure(resource.error);
    return contentsOf(resource, reading).map((part) => partOf(part, resource, reading, input));
  }

  complete(params: JsonObject | undefined): JsonObject {
    const { ref, argument, context } = params ?? {};
    const template = isObject(ref) ? this.templates.find((one) => one.uriTemplate === ref.uri) : undefined;
    if (template === undefined || !isObject(argument) || typeof argument.name !== 'string') {
      throw new RpcFailure({ code: -32602, message: 'Invalid completion reference' });
    }
    const prefix = typeof argument.value === 'string' ? argument.value : '';
    const chosen = isObject(context) && isObject(context.arguments) ? context.arguments : {};
    const all = suggestions(template.completions?.[argument.name], chosen).filter((value) => value.startsWith(prefix));
    return { completion: { values: all.slice(0, 100), total: all.length, hasMore: all.length > 100 } };
  }

  #page(key: string, entries: Json[], params: JsonObject | undefined): JsonObject {
    const size = this.scenario.pageSize ?? Number.POSITIVE_INFINITY;
    const cursor = params?.cursor;
    const start = typeof cursor === 'string' && cursor.startsWith(CURSOR) ? Number(cursor.slice(CURSOR.length)) : 0;
    if (cursor !== undefined && (start === 0 || !Number.isInteger(start))) {
      throw new RpcFailure({ code: -32602, message: 'Invalid cursor' });
    }
    const end = Math.min(start + size, entries.length);
    const page: JsonObject = { [key]: entries.slice(start, end) };
    return end < entries.length ? { ...page, nextCursor: `${CURSOR}${end}` } : page;
  }

  #ofTemplate(uri: string): ResourceSpec | undefined {
    const template = this.templates.find((one) => one.text !== undefined && templatePattern(one.uriTemplate).test(uri));
    if (template?.text === undefined) return undefined;
    return { uri, mimeType: template.mimeType, text: template.text.replaceAll('{uri}', uri) };
  }
}

function resourceEntry(resource: ResourceSpec): Json {
  if (resource.entry !== undefined) return resource.entry;
  const { uri, title, description, mimeType, size, annotations, extra } = resource;
  const name = resource.name ?? uri.split(/[/:]/).findLast((part) => part !== '') ?? uri;
  return { uri, name, title, description, mimeType, size, annotations, ...extra };
}

function templateEntry(template: TemplateSpec): Json {
  if (template.entry !== undefined) return template.entry;
  const { uriTemplate, name = uriTemplate, title, description, mimeType, annotations, extra } = template;
  return { uriTemplate, name, title, description, mimeType, annotations, ...extra };
}

function contentsOf(resource: ResourceSpec, reading: number): Contents {
  const { contents, text } = resource;
  if (typeof contents === 'function') return contents(reading);
  return contents ?? [{ text: text ?? '' }];
}

function partOf(part: ContentPart | RawPart, resource: ResourceSpec, reading: number, input?: Json): Json {
  if ('raw' in part) return part.raw;
  const { text, repeat = 1, bytes, ...rest } = part;
  const fallback = resource.readMimeType === undefined ? resource.mimeType : (resource.readMimeType ?? undefined);
  const item: JsonObject = { uri: resource.uri, mimeType: fallback, ...rest };
  if (bytes !== undefined) item.blob = fixtureBytes(bytes).toString('base64');
  if (input !== undefined && text !== undefined) {
    item.text = text.replaceAll('{input}', () => JSON.stringify(input));
  } else if (text !== undefined) {
    item.text = (resource.countReads === true ? text.replaceAll('{reads}', String(reading)) : text).repeat(repeat);
  }
  return item;
}

function suggestions(spec: CompletionSpec | undefined, chosen: JsonObject): readonly string[] {
  if (spec === undefined) return [];
  if ('dependsOn' in spec) return spec.values[stringOf(chosen[spec.dependsOn])] ?? [];
  return spec;
}

/** Loose on purpose: every expression stands for any characters. */
function templatePattern(uriTemplate: string): RegExp {
  const literals = uriTemplate.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`, 's');
}
