/** What the image function is told by its environment. */

import { tableVariables, variables } from '../../contract/environment';
import { optionalText, type SettingsOf, text, url, wholeNumber } from '../config';
import { plansSetting } from '../plans-setting';
import { providerEndpointsSetting, providerQuotasSetting, slotBindingsSetting } from '../stock-settings';

export const settings = {
  [tableVariables.quotaCounters]: text,
  [tableVariables.lookupCache]: text,
  [tableVariables.generationIndex]: text,
  [variables.ipHashSecret]: text,
  [variables.slotBindings]: slotBindingsSetting,
  [variables.imageBaseUrl]: url('https:', 'http:'),
  [variables.imageStore]: url('s3:', 'file:'),
  [variables.rendererFunction]: text,
  [variables.generatorFunction]: text,
  [variables.signingSecretId]: text,
  [variables.signingKeyPairId]: text,
  [variables.providerSecretId]: optionalText,
  [variables.providerEndpoints]: providerEndpointsSetting,
  [variables.providerQuotas]: providerQuotasSetting,
  [variables.contact]: optionalText,
  [variables.eventBus]: optionalText,
  [variables.plans]: plansSetting,
  [variables.redirectMaxAge]: wholeNumber(0, 86_400, 3_600),
} as const satisfies SettingsOf<'redirect'>;
