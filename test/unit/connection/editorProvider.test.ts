import assert from 'node:assert/strict';
import { editorProvider } from '../../../src/connection/editorProvider';

describe('editorProvider', () => {
  const issuers: [string, ReturnType<typeof editorProvider>][] = [
    ['https://github.com/login/oauth', 'github'],
    ['https://github.com/login/oauth/', 'github'],
    ['https://login.microsoftonline.com/organizations/v2.0', 'microsoft'],
    ['http://github.com/login/oauth', undefined],
    ['https://github.com/somebody/else', undefined],
    ['https://github.com:444/login/oauth', undefined],
    ['https://github.com.example/login/oauth', undefined],
    ['https://github.com@auth.example/login/oauth', undefined],
    ['https://login.microsoftonline.com.example/x', undefined],
    ['not an address', undefined],
  ];
  for (const [issuer, provider] of issuers) {
    it(`${issuer}: ${provider ?? 'none'}`, () => {
      assert.equal(editorProvider(issuer), provider);
    });
  }
});
