/** What the authorizer tells the handlers about the caller. */

import { contextKeys } from '../../contract/context-keys';
import type { Admission } from '../../domain/caller/caller';

/** Flat strings only: API Gateway passes nothing else through. */
export function contextOf(admission: Admission): Record<string, string> {
  if (admission.outcome === 'outage') return { [contextKeys.refusal]: 'outage' };
  if (admission.outcome === 'refused') return { [contextKeys.refusal]: 'invalid_api_key' };
  const { caller } = admission;
  if (caller.kind === 'anonymous') return { [contextKeys.caller]: caller.kind };
  return {
    [contextKeys.caller]: caller.kind,
    [contextKeys.account]: caller.account,
    [contextKeys.plan]: caller.plan,
    [contextKeys.keyId]: caller.keyId,
  };
}
