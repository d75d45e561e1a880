import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import { decodeDocumentUri, encodeDocumentUri } from '../../src/content/documentUri';
import { anyIdentity } from '../unit/content/documentIdentities';

const scheme = 'mcp-resource-context';
/** How VS Code itself reads a stored URI; there, though not declared. */
const revivable = vscode.Uri as unknown as { revive(stored: unknown): vscode.Uri };

describe("document URI in the editor's own Uri class", () => {
  const ways: [name: string, pass: (uri: vscode.Uri) => vscode.Uri][] = [
    ['as it is', (uri) => uri],
    ['toString and parse', (uri) => vscode.Uri.parse(uri.toString(), true)],
    ['toString without encoding and parse', (uri) => vscode.Uri.parse(uri.toString(true), true)],
    ['toString and parse twice', (uri) => vscode.Uri.parse(vscode.Uri.parse(uri.toString()).toString())],
    ['JSON and revive', (uri) => revivable.revive(JSON.parse(JSON.stringify(uri)))],
    ['a changed query and fragment', (uri) => uri.with({ query: 'version=1', fragment: 'L1' })],
    ['joinPath, which normalises', (uri) => vscode.Uri.joinPath(uri, '.')],
    ['both forms of toString in turn', (uri) => vscode.Uri.parse(vscode.Uri.parse(uri.toString(true)).toString())],
  ];
  for (const [name, pass] of ways) {
    it(`U1–U8: server, URI and name survive ${name}`, () => {
      fc.assert(
        fc.property(anyIdentity, (document) => {
          const uri = vscode.Uri.from({ scheme, ...encodeDocumentUri(document) });
          uri.toString(); // fills the cache that JSON carries
          const passed = pass(uri);
          assert.equal(passed.path, uri.path);
          assert.deepEqual(decodeDocumentUri(passed), document);
        }),
        { numRuns: 3_000 },
      );
    });
  }

  it('F12: the path that tooltip, breadcrumb and "Copy Path" show is the readable one', () => {
    const document = { serverId: 'docs', uri: 'docs://api/users.md', fileName: 'users.md' };
    const uri = vscode.Uri.from({ scheme, ...encodeDocumentUri(document) });
    assert.equal(uri.fsPath.replaceAll('\\', '/'), '/docs/docs/api/users.md');
    assert.equal(uri.toString(), uri.toString(true));
  });
});
