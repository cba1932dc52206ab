/** The entry of the key maker's function. */

import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { answerEvent } from './keys';

const services = {
  gateway: new APIGatewayClient({ maxAttempts: 5 }),
  secrets: new SecretsManagerClient({ maxAttempts: 3 }),
  rolePauseMs: 5_000,
};

/** Handles an event, and sends the response to the URL that the event names. */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const body = JSON.stringify(await answerEvent(services, event));
  const response = await fetch(event.ResponseURL, { method: 'PUT', body, headers: { 'Content-Type': '' } });
  if (!response.ok) throw new Error(`CloudFormation did not take the response: ${response.status}`);
}
