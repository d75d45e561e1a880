import assert from 'node:assert/strict';
import { type TemplateInstance, TemplateInstances } from '../../../src/catalog/templateInstances';

/** Keeps what a memento would: JSON. */
class Storage {
  readonly texts = new Map<string, string>();

  get(key: string): unknown {
    const text = this.texts.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  update(key: string, value: unknown): Promise<void> {
    this.texts.set(key, JSON.stringify(value));
    return Promise.resolve();
  }
}

const uriTemplate = 'sky://{name}';
const filled = (name: string): TemplateInstance => ({
  serverId: 'one',
  uriTemplate,
  texts: { name },
  uri: `sky://${name}`,
});

describe('TemplateInstances', () => {
  const names = (instances: TemplateInstances) => instances.of('one', uriTemplate).map(({ uri, name }) => name ?? uri);

  it('T11: what was filled in is there again in the next window, per server and template', async () => {
    const storage = new Storage();
    const first = new TemplateInstances(storage);
    const heard: string[] = [];
    first.onDidChange((serverId) => heard.push(serverId));
    await first.put(filled('mars'));
    await first.put({
      ...filled('venus'),
      texts: JSON.parse('{"name":"venus","__proto__":"x"}') as TemplateInstance['texts'],
    });
    await first.put({ ...filled('mars'), serverId: 'two' });
    assert.deepEqual(heard, ['one', 'one', 'two']);
    const second = new TemplateInstances(storage);
    assert.equal(JSON.stringify(second.of('one', uriTemplate)), JSON.stringify(first.of('one', uriTemplate)));
    assert.deepEqual(names(second), ['sky://mars', 'sky://venus']);
    assert.ok(Object.hasOwn(second.of('one', uriTemplate)[1]!.texts, '__proto__'));
    assert.deepEqual(second.of('one', 'sky://{other}'), []);
    assert.equal(second.find({ serverId: 'two', uri: 'sky://mars' })?.serverId, 'two');
    assert.equal(second.find({ serverId: 'two', uri: 'sky://venus' }), undefined);
  });

  it('one that is filled in again stays in its place, with its name', async () => {
    const instances = new TemplateInstances(new Storage());
    await instances.put(filled('mars'));
    await instances.put(filled('venus'));
    await instances.rename(filled('mars'), 'Red');
    await instances.put(filled('mars'));
    assert.deepEqual(names(instances), ['Red', 'sky://venus']);
    await instances.rename(filled('mars'), undefined);
    assert.deepEqual(names(instances), ['sky://mars', 'sky://venus']);
  });

  it('edited values take the place of the old ones, and never make a twin', async () => {
    const instances = new TemplateInstances(new Storage());
    await instances.put(filled('mars'));
    await instances.put(filled('venus'));
    await instances.put(filled('earth'), filled('mars'));
    assert.deepEqual(names(instances), ['sky://earth', 'sky://venus']);
    await instances.put(filled('venus'), filled('earth'));
    assert.deepEqual(names(instances), ['sky://venus']);
    // Removed while its values were being edited.
    await instances.put(filled('pluto'), filled('gone'));
    assert.deepEqual(names(instances), ['sky://venus', 'sky://pluto']);
    await instances.remove(filled('venus'));
    assert.deepEqual(names(instances), ['sky://pluto']);
  });

  it('damaged entries cost no good ones', async () => {
    const storage = new Storage();
    const bad = [null, 'x', {}, { ...filled('a'), uri: 5 }, { ...filled('b'), texts: { name: 7 } }];
    await storage.update('templateInstances', [...bad, filled('mars')]);
    assert.deepEqual(names(new TemplateInstances(storage)), ['sky://mars']);
    await storage.update('templateInstances', 'nothing');
    assert.deepEqual(names(new TemplateInstances(storage)), []);
  });
});
