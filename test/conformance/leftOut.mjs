// Scenarios that are not run, each with its reason. The program that runs the others fails on a name that is not there.

const tools = 'about tools, which the extension does not call';
const otherGrant = 'about a way to sign in without a person, which the extension does not offer';

/** @type {Readonly<Record<string, string>>} */
export const leftOut = {
  tools_call: `${tools}: it wants arguments of one tool's own`,
  'elicitation-sep1034-client-defaults': `${tools}: input is asked for only while a resource is read`,
  'sep-2322-client-request-state': `${tools}: input is asked for only while a resource is read`,
  'http-custom-headers': `${tools}: parameters of tools as headers`,
  'http-invalid-tool-headers': `${tools}: definitions of tools that are to be refused`,
  'json-schema-ref-no-deref': `${tools}: their schemas`,
  'json-schema-2020-12-preservation': `${tools}: their schemas`,
  'auth/client-credentials-jwt': otherGrant,
  'auth/client-credentials-basic': otherGrant,
  'auth/enterprise-managed-authorization': otherGrant,
  'auth/wif-jwt-bearer': otherGrant,
  'auth/dpop': 'an extension of the protocol, which the extension does not offer: tokens bound to a key',
  'auth/dpop-nonce': 'an extension of the protocol, which the extension does not offer: tokens bound to a key',
};
