/** The stock provider settings of the functions and of the operator's tools. */

import { variables } from '../lambda/contract/environment';
import { asciiJson } from './ascii-json';
import type { Stage } from './stage';

/** Environment variable → its value. */
export function stockVariables({
  slotBindings,
  providerEndpoints,
  providerQuotas,
  contact,
}: Stage): Record<string, string> {
  return {
    [variables.slotBindings]: asciiJson(slotBindings),
    [variables.providerEndpoints]: asciiJson(providerEndpoints),
    [variables.providerQuotas]: asciiJson(providerQuotas),
    ...(contact === undefined ? {} : { [variables.contact]: contact }),
  };
}
