import { Emitter } from '../base/events';
import type { Disposable } from '../base/lifecycle';
import type { Memento } from '../base/memento';
import type { ResourceRef } from '../connection/connectionPool';
import type { TypedTexts } from './typedValues';

/** A template that a person has filled in: identified by server, template and URI. */
export interface TemplateInstance {
  readonly serverId: string;
  readonly uriTemplate: string;
  /** What was typed for each variable, so that it can be edited. */
  readonly texts: TypedTexts;
  /** What came of it: what the server is asked for, byte for byte. */
  readonly uri: string;
  /** A name of the person's own. */
  readonly name?: string;
}

const KEY = 'templateInstances';

/** The filled-in templates of a workspace, in the order in which they were made. They outlive window and server. */
export class TemplateInstances implements Disposable {
  private readonly changeEmitter = new Emitter<string>();
  private instances: readonly TemplateInstance[];

  /** Fires with the id of the server whose instances changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly storage: Memento) {
    const stored = storage.get(KEY);
    this.instances = Array.isArray(stored) ? stored.filter(isInstance) : [];
  }

  of(serverId: string, uriTemplate: string): readonly TemplateInstance[] {
    return this.instances.filter((each) => each.serverId === serverId && each.uriTemplate === uriTemplate);
  }

  /** All of a server's, whatever their templates. */
  ofServer(serverId: string): readonly TemplateInstance[] {
    return this.instances.filter((each) => each.serverId === serverId);
  }

  /** The first instance of a resource, whatever its template. */
  find({ serverId, uri }: ResourceRef): TemplateInstance | undefined {
    return this.instances.find((each) => each.serverId === serverId && each.uri === uri);
  }

  /**
   * Keeps an instance, in place of `replaced` where one was edited. One that exists already stays where it is, with its
   * name.
   */
  async put(instance: TemplateInstance, replaced?: TemplateInstance): Promise<void> {
    const old = replaced ? this.instances.find((each) => isSame(each, replaced)) : undefined;
    const twin = this.instances.find((each) => isSame(each, instance));
    const next = { ...instance, name: instance.name ?? twin?.name ?? old?.name };
    const place = twin ?? old;
    if (place === twin && twin && (!old || old === twin) && JSON.stringify(twin) === JSON.stringify(next)) {
      return;
    }
    const rest = this.instances.filter((each) => each === place || (each !== twin && each !== old));
    await this.save(place ? rest.map((each) => (each === place ? next : each)) : [...rest, next], instance.serverId);
  }

  /** Gives an instance a name, or with `undefined` takes it away. */
  async rename(instance: TemplateInstance, name: string | undefined): Promise<void> {
    await this.save(
      this.instances.map((each) => (isSame(each, instance) ? { ...each, name } : each)),
      instance.serverId,
    );
  }

  async remove(instance: TemplateInstance): Promise<void> {
    await this.save(
      this.instances.filter((each) => !isSame(each, instance)),
      instance.serverId,
    );
  }

  dispose(): void {
    this.changeEmitter.dispose();
  }

  private async save(instances: readonly TemplateInstance[], serverId: string): Promise<void> {
    this.instances = instances;
    this.changeEmitter.fire(serverId);
    await this.storage.update(KEY, instances);
  }
}

function isSame(a: TemplateInstance, b: TemplateInstance): boolean {
  return a.serverId === b.serverId && a.uriTemplate === b.uriTemplate && a.uri === b.uri;
}

/** What is stored may be of another version, or damaged. */
function isInstance(value: unknown): value is TemplateInstance {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { serverId, uriTemplate, uri, texts, name } = value as Record<string, unknown>;
  return (
    [serverId, uriTemplate, uri].every((field) => typeof field === 'string') &&
    (name === undefined || typeof name === 'string') &&
    typeof texts === 'object' &&
    texts !== null &&
    Object.values(texts).every((text) => typeof text === 'string')
  );
}
