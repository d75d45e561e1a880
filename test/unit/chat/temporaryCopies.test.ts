import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TemporaryCopies } from '../../../src/chat/temporaryCopies';

describe('TemporaryCopies', () => {
  let root: string;
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);

  beforeEach(() => {
    root = path.join(mkdtempSync(path.join(tmpdir(), 'copies-')), 'attached');
  });

  afterEach(() => {
    rmSync(path.dirname(root), { recursive: true });
  });

  it('A4: a copy is byte for byte the same, under its own name, and for nobody else to read', async () => {
    const copies = new TemporaryCopies(root);
    const [first, second] = [await copies.write('logo.png', bytes), await copies.write('logo.png', bytes)];
    assert.notEqual(first, second);
    assert.equal(path.basename(second), 'logo.png');
    assert.deepEqual(new Uint8Array(readFileSync(first)), bytes);
    assert.equal(statSync(first).mode & 0o777, 0o600);
    const own = path.dirname(path.dirname(first));
    assert.equal(statSync(own).mode & 0o777, 0o700);
    await copies.end();
    assert.deepEqual(readdirSync(root), []);
  });

  it('A1: nothing is left at the end, nor of a process that ended before it could tidy up', async () => {
    const ended = spawnSync(process.execPath, ['--version']).pid;
    mkdirSync(path.join(root, `${ended}-abc/1`), { recursive: true });
    mkdirSync(path.join(root, `${process.pid}-abc/1`), { recursive: true });
    const copies = new TemporaryCopies(root);
    await copies.removeLeftOvers();
    assert.deepEqual(readdirSync(root), [`${process.pid}-abc`]);
  });

  it('leaves no folder where nothing was copied', async () => {
    const copies = new TemporaryCopies(root);
    await copies.removeLeftOvers();
    await copies.end();
    assert.equal(existsSync(root), false);
  });
});
