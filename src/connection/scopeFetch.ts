import type { SdkModule } from './mcpClient';

/**
 * A fetch for the older transport, by which a POST that is refused for want of rights fails as the newer one's does (RFC 6750,
 * section 3.1: `insufficient_scope`): the SDK's own words for it are those of any other refusal.
 */
export function scopeFetch(sdk: SdkModule, base: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init);
    if (init?.method !== 'POST' || response.status !== 403) {
      return response;
    }
    const { error, scope, resourceMetadataUrl } = sdk.extractWWWAuthenticateParams(response);
    if (error !== 'insufficient_scope') {
      return response;
    }
    await response.body?.cancel();
    throw new sdk.InsufficientScopeError({ requiredScope: scope, resourceMetadataUrl });
  };
}
