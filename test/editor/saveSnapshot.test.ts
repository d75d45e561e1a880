import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { manifestName, type SnapshotFile, writeSnapshot } from '../../src/command/saveSnapshot';
import { documentFileName } from '../../src/content/fileName';

describe('snapshots of hostile resources', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-snapshot-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const fileOf = (uri: string, text = uri): SnapshotFile => ({
    name: documentFileName({ uri }),
    bytes: Buffer.from(text),
    uri,
    ref: { serverId: 'evil', uri },
    readAt: 0,
  });
  const into = (path: string) => vscode.Uri.file(path);
  const manifestIn = (path: string) =>
    JSON.parse(readFileSync(join(path, manifestName), 'utf8')) as { files: { file: string; uri: string }[] };

  it('V10: hostile names stay in the folder, beside each other and beside what is there', async () => {
    const outside = join(folder, '..', 'outside.txt');
    symlinkSync(outside, join(folder, 'link.txt'));
    writeFileSync(join(folder, 'kept.txt'), 'kept');
    const uris = [
      ...[
        'x://..',
        'x://../../etc/passwd',
        'x://%2e%2e%2f%2e%2e%2fetc%2fpasswd',
        'x://a%00b',
        'x://a\u202eb',
        'x:// .. ',
      ],
      ...['x://CON', 'x://nul.txt', 'x://COM1.log', 'x://trailing. ', 'x://A.txt', 'x://a.txt', 'x://.git', 'x://.env'],
      ...['x://caf\u00e9', 'x://cafe\u0301', `x://${'n'.repeat(5000)}`, `x://${'漢'.repeat(300)}.md`, 'x://link.txt'],
      ...[
        'x://kept.txt',
        `x://${manifestName}`,
        `x://${manifestName.toUpperCase()}`,
        'x://',
        'x://C:\\Windows\\x',
        'x://a:b',
      ],
    ];
    await writeSnapshot(
      into(folder),
      uris.map((uri) => fileOf(uri)),
    );
    const { files } = manifestIn(folder);
    assert.deepEqual(
      files.map(({ uri }) => uri),
      uris,
    );
    for (const { file, uri } of files) {
      assert.equal(readFileSync(join(folder, file), 'utf8'), uri, file);
      assert.match(file, /^(?!\.)[^/\\:*?"<>|\p{C}]+(?<![ .])$/u);
      assert.doesNotMatch(file, /^(con|nul|com1)(\.|$)/i);
    }
    assert.equal(new Set(files.map(({ file }) => file.normalize('NFC').toLowerCase())).size, uris.length);
    assert.equal(readdirSync(folder).length, uris.length + 3);
    assert.equal(readFileSync(join(folder, 'kept.txt'), 'utf8'), 'kept');
    assert.ok(lstatSync(join(folder, 'link.txt')).isSymbolicLink() && !existsSync(outside));
  });

  it('V10: a manifest that is a link, a folder or something else is not written, nor anything beside it', async () => {
    const outside = join(folder, 'outside.json');
    const inner = join(folder, 'inner');
    const linked = (): void => symlinkSync(outside, join(inner, manifestName));
    for (const make of [
      linked,
      () => {
        writeFileSync(outside, '{"files":[]}');
        linked();
      },
      () => mkdirSync(join(inner, manifestName)),
      () => writeFileSync(join(inner, manifestName), '{"files":5}'),
    ]) {
      rmSync(inner, { recursive: true, force: true });
      mkdirSync(inner);
      make();
      await assert.rejects(writeSnapshot(into(inner), [fileOf('x://a')]), /no manifest of a snapshot/);
      assert.deepEqual(readdirSync(inner), [manifestName]);
      assert.ok(!existsSync(outside) || readFileSync(outside, 'utf8') === '{"files":[]}');
    }
  });

  it('V10: on a disk that fills, what was written is in the manifest, and no half file is left', async () => {
    const disk = new SmallDisk(1500);
    const registered = vscode.workspace.registerFileSystemProvider('mcp-small-disk', disk);
    try {
      const root = vscode.Uri.parse('mcp-small-disk:/folder');
      const files = [fileOf('x://one', 'the first'), fileOf('x://two', 'y'.repeat(5000)), fileOf('x://three')];
      await assert.rejects(writeSnapshot(root, files), /two could not be written: .*no space/i);
      assert.deepEqual([...disk.files.keys()].sort(), [`/folder/${manifestName}`, '/folder/one']);
      const { files: listed } = JSON.parse(String(disk.files.get(`/folder/${manifestName}`))) as {
        files: { uri: string }[];
      };
      assert.deepEqual(
        listed.map(({ uri }) => uri),
        ['x://one'],
      );
    } finally {
      registered.dispose();
    }
  });
});

/** A disk of so many bytes: what does not fit is written as far as there is room, and fails. */
class SmallDisk implements vscode.FileSystemProvider {
  readonly files = new Map<string, Buffer>();
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  constructor(private readonly size: number) {}

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const file = this.files.get(path);
    if (!file && path !== '/folder' && path !== '/') {
      throw vscode.FileSystemError.FileNotFound(path);
    }
    return {
      type: file ? vscode.FileType.File : vscode.FileType.Directory,
      ctime: 0,
      mtime: 0,
      size: file?.length ?? 0,
    };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [...this.files.keys()].map((path) => [path.slice('/folder/'.length), vscode.FileType.File]);
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    return this.files.get(path) ?? assert.fail(path);
  }

  writeFile({ path }: vscode.Uri, bytes: Uint8Array): void {
    const used = [...this.files].reduce((sum, [other, { length }]) => sum + (other === path ? 0 : length), 0);
    this.files.set(path, Buffer.from(bytes.subarray(0, this.size - used)));
    if (used + bytes.length > this.size) {
      throw vscode.FileSystemError.Unavailable('ENOSPC: no space left on device');
    }
  }

  delete({ path }: vscode.Uri): void {
    this.files.delete(path);
  }

  createDirectory(): void {
    assert.fail('no folder is made');
  }

  rename(): void {
    assert.fail('nothing is renamed');
  }
}
