/** What functions and the operator's scripts are told about stock providers. */

import { variables } from '../lambda/contract/environment';
import type { Stage } from './stage';

/** Environment variable → its value. */
export function stockVariables({
  slotBindings,
  providerEndpoints,
  providerQuotas,
  contact,
}: Stage): Record<string, string> {
  return {
    [variables.slotBindings]: JSON.stringify(slotBindings),
    [variables.providerEndpoints]: JSON.stringify(providerEndpoints),
    [variables.providerQuotas]: JSON.stringify(providerQuotas),
    ...(contact === undefined ? {} : { [variables.contact]: contact }),
  };
}
