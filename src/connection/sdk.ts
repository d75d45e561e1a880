// What we run of the SDK: a bundle of its own, loaded on the first connection, never at activation.
// eslint-disable-next-line @typescript-eslint/no-deprecated -- servers that predate Streamable HTTP are to be reached too
export { SSEClientTransport } from '@modelcontextprotocol/client';
export {
  auth,
  Client,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  IssuerMismatchError,
  OAuthError,
  ProtocolError,
  ProtocolErrorCode,
  refreshAuthorization,
  RegistrationRejectedError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
