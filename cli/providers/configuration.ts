/** Reads how a service's stock providers are configured, as its functions do. */

import { imageDeliveries, variables } from '../../lambda/contract/environment';
import { ConfigurationError, oneOf, optionalText, readConfig, text } from '../../lambda/functions/config';
import {
  providerEndpointsSetting,
  providerQuotasSetting,
  slotBindingsSetting,
} from '../../lambda/functions/operator-settings';
import { failed } from '../failure';
import type { Service } from '../service';

const settings = {
  [variables.slotBindings]: slotBindingsSetting,
  [variables.providerEndpoints]: providerEndpointsSetting,
  [variables.providerQuotas]: providerQuotasSetting,
  [variables.providerSecretId]: optionalText,
  [variables.contact]: text,
  [variables.imageDelivery]: oneOf(imageDeliveries),
} as const;

/** What decides which images are found, as the functions read it. */
export type ProviderConfiguration = ReturnType<typeof readConfig<typeof settings>>;

/** The service's URL is the contact where the operator has configured none. @throws `Failure` */
export function readConfiguration({ stockProviders, url, lacks }: Service): ProviderConfiguration {
  if (!stockProviders) throw lacks('stock providers');
  const values = Object.entries(stockProviders).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  try {
    return readConfig(
      { [variables.contact]: url ?? 'https://localhost', ...Object.fromEntries(values) },
      settings,
    );
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const [, ...faults] = error.message.split('\n');
    throw failed(`The configuration of the service is not valid: ${faults.join('; ').trim()}.`);
  }
}
