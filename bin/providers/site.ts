/** A service as this tool sees it: what its functions were told about stock providers, and where their table is. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { variables } from '../../lambda/contract/environment';
import { ConfigurationError, optionalText, readConfig, text } from '../../lambda/functions/config';
import {
  providerEndpointsSetting,
  providerQuotasSetting,
  slotBindingsSetting,
} from '../../lambda/functions/stock-settings';
import { exitCodes, Failure } from '../operator/failure';

export interface Site {
  /** Its URL or its stack's name, for people. */
  readonly name: string;
  readonly client: DynamoDBClient;
  readonly lookupCacheTable: string;
  readonly told: Told;
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

export type Told = ReturnType<typeof readConfig<typeof settings>>;

/**
 * Reads what the functions were told as the functions do.
 * @param told by the names of the variables, as JSON or as the value itself
 * @param contact whom providers can turn to when the operator has named nobody
 * @throws `Failure`
 */
export function readTold(told: Readonly<Record<string, unknown>>, contact: string): Told {
  const texts = Object.entries(told).map(([name, value]) => [
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
      `The service was told what it cannot use: ${faults.join('; ').trim()}.`,
    );
  }
}
