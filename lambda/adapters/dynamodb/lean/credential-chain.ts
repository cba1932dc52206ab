/** AWS's own chain of credential providers: containers, instances, profiles. */

import { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { CredentialSource } from './plain-environment';

export function createCredentialChain(): CredentialSource {
  return defaultProvider();
}
