import assert from 'node:assert/strict';
import { parseServersFile } from '../../../src/config/dialect';
import { locations } from '../../../src/config/locations';
import { mergeDefinitions } from '../../../src/config/merge';
import { ValidReadings } from '../../../src/config/validReadings';

const [, location] = locations({ folders: [], multiRoot: false, userFile: '/h/mcp.json' });
const good = '{ "servers": {\n"a": { "command": "x" },\n"b": { "command": "y", "args": ["1"] } } }';
const torn = '{ "servers": {\n"a" { "command": "x" },\n"b": { "command": "y", "args": ["2"] } } }';

describe('ValidReadings', () => {
  /** What is configured after each of the texts, read one after the other. */
  function after(...texts: readonly string[]): string[] {
    const readings = new ValidReadings();
    const read = texts.map((text) => readings.settle([{ location: location!, list: parseServersFile(text) }]));
    return mergeDefinitions(read.at(-1)!).map(({ id, launch, error }) => `${id}: ${error ?? JSON.stringify(launch)}`);
  }
  const fault = 'user mcp.json: The file is not valid JSON: a colon is missing (user mcp.json, line 2).';

  it('C4: while a file has a syntax error, its last valid reading counts, and the fault is told', () => {
    assert.equal(after(good).length, 2);
    assert.deepEqual(after(good, torn), [fault, ...after(good)]);
    assert.deepEqual(after(good, torn, torn), [fault, ...after(good)]);
  });

  it('C4: where there never was one, nothing behind the fault is guessed', () => {
    assert.deepEqual(after(torn), [fault]);
    const half = good.replace('"b":', '"b"');
    assert.deepEqual(after('', half).slice(1), after(good).slice(0, 1));
  });

  it('what a file says once it is mended counts, and of a file that was emptied nothing stays', () => {
    const mended = torn.replace('"a" {', '"a": {');
    assert.deepEqual(after(good, torn, mended), after(mended));
    assert.deepEqual(after(good, '', torn), [fault]);
  });
});
