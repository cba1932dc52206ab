/** AWS's own chain of credential providers (containers, instances, profiles); a file of its own because it is bundled apart. */

import { defaultProvider } from '@aws-sdk/credential-provider-node';

/** Asks environment, profiles, containers and instances in AWS's own order. @throws when none has credentials */
export function createCredentialChain(): ReturnType<typeof defaultProvider> {
  return defaultProvider();
}
