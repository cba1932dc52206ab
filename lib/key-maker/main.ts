/** Wires the maker of keys to AWS. */

import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { answerOf } from './keys';

const services = {
  gateway: new APIGatewayClient({ maxAttempts: 5 }),
  secrets: new SecretsManagerClient({ maxAttempts: 3 }),
  rolePauseMs: 5_000,
};

/** Called by CloudFormation, which gets the outcome at the URL that its event names. */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const body = JSON.stringify(await answerOf(services, event));
  const response = await fetch(event.ResponseURL, { method: 'PUT', body, headers: { 'Content-Type': '' } });
  if (!response.ok) throw new Error(`CloudFormation did not take the answer: ${response.status}`);
}
