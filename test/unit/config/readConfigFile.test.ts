import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfigFile } from '../../../src/config/readConfigFile';

describe('readConfigFile', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-config-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reads a file, also through a symbolic link', async () => {
    const file = join(folder, 'mcp.json');
    await writeFile(file, '{"ä":1}');
    await symlink(file, join(folder, 'link.json'));
    assert.deepEqual(await readConfigFile(file), { kind: 'text', text: '{"ä":1}' });
    assert.deepEqual(await readConfigFile(join(folder, 'link.json')), { kind: 'text', text: '{"ä":1}' });
  });

  it('finds none where the file or its folder is missing', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const path of ['mcp.json', 'no/mcp.json', 'file/mcp.json']) {
      assert.deepEqual(await readConfigFile(join(folder, path)), { kind: 'none' });
    }
  });

  it('refuses a folder, a named pipe and a huge file, each with the reason', async function () {
    const huge = join(folder, 'huge');
    await writeFile(huge, '');
    await truncate(huge, 5 * 1024 * 1024);
    assert.deepEqual(await readConfigFile(folder), { kind: 'error', message: 'It is not a regular file' });
    assert.deepEqual(await readConfigFile(huge), { kind: 'error', message: 'The file is larger than 4 MB' });
    if (process.platform === 'win32') {
      this.skip();
    }
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    assert.equal((await readConfigFile(join(folder, 'pipe'))).kind, 'error');
  });

  it('refuses a link to a file of the system that names no size and has no end', async function () {
    const endless = '/proc/self/pagemap';
    if (!existsSync(endless)) {
      this.skip();
    }
    await symlink(endless, join(folder, 'link.json'));
    const found = await readConfigFile(join(folder, 'link.json'));
    assert.deepEqual(found, { kind: 'error', message: 'The file is larger than 4 MB' });
  });

  it('rejects when it is aborted', async () => {
    const file = join(folder, 'mcp.json');
    await writeFile(file, '{}');
    await assert.rejects(readConfigFile(file, AbortSignal.abort()), { name: 'AbortError' });
  });
});
