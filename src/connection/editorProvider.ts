import type { EditorSession } from './credentialVault';

/** The editor's own way to get tokens of an issuer, where it has one. */
export function editorProvider(issuer: string): EditorSession['provider'] | undefined {
  if (!URL.canParse(issuer)) {
    return undefined;
  }
  const { protocol, host, pathname } = new URL(issuer);
  if (protocol !== 'https:') {
    return undefined;
  }
  if (host === 'github.com' && /^\/login\/oauth\/?$/.test(pathname)) {
    return 'github';
  }
  return host === 'login.microsoftonline.com' ? 'microsoft' : undefined;
}
