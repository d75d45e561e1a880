import assert from 'node:assert/strict';
import { documentScheme } from '../../../src/filesystem/documentScheme';

describe('documentScheme', () => {
  it('is mcp-resource where nobody has it', () => {
    assert.equal(
      documentScheme(() => undefined),
      'mcp-resource',
    );
  });

  it('is mcp-resource-context where VS Code has it, read-only or writable', () => {
    for (const taken of [false, true]) {
      assert.equal(
        documentScheme((scheme) => (scheme === 'mcp-resource' ? taken : undefined)),
        'mcp-resource-context',
      );
    }
  });
});
