/** A service as this command sees it: how its stock providers are configured, and where their table is. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { variables } from '../../lambda/contract/environment';
import { ConfigurationError, optionalText, readConfig, text } from '../../lambda/functions/config';
import {
  providerEndpointsSetting,
  providerQuotasSetting,
  slotBindingsSetting,
} from '../../lambda/functions/stock-settings';
import type { AwsPlace } from '../explain';
import { exitCodes, Failure } from '../failure';

export interface Site {
  /** Its URL or its stack's name, for people. */
  readonly name: string;
  readonly client: DynamoDBClient;
  /** Where errors of AWS happen; empty for a local service. */
  readonly place: AwsPlace;
  readonly lookupCacheTable: string;
  readonly configuration: ServiceConfiguration;
  /** How an operator replaces a provider's key here, in words. */
  readonly howToSetKey: (provider: string) => string;
}

const settings = {
  [variables.slotBindings]: slotBindingsSetting,
  [variables.providerEndpoints]: providerEndpointsSetting,
  [variables.providerQuotas]: providerQuotasSetting,
  [variables.providerSecretId]: optionalText,
  [variables.contact]: text,
} as const;

export type ServiceConfiguration = ReturnType<typeof readConfig<typeof settings>>;

/**
 * Reads the configuration of a service as its functions do.
 * @param values by the names of the variables, as JSON or as the value itself
 * @param contact sent to providers when the operator has configured none
 * @throws `Failure`
 */
export function readConfiguration(
  values: Readonly<Record<string, unknown>>,
  contact: string,
): ServiceConfiguration {
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  try {
    return readConfig({ [variables.contact]: contact, ...Object.fromEntries(texts) }, settings);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const [, ...faults] = error.message.split('\n');
    throw new Failure(
      exitCodes.failed,
      `The configuration of the service is not valid: ${faults.join('; ').trim()}.`,
    );
  }
}
