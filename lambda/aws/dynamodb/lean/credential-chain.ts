/** AWS's own chain of credential providers: containers, instances, profiles. */

import { defaultProvider } from '@aws-sdk/credential-provider-node';

export function createCredentialChain(): ReturnType<typeof defaultProvider> {
  return defaultProvider();
}
