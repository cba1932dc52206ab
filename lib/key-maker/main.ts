/** Starts the function that makes keys. */

import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { answerEvent } from './keys';

const services = {
  gateway: new APIGatewayClient({ maxAttempts: 5 }),
  secrets: new SecretsManagerClient({ maxAttempts: 3 }),
  rolePauseMs: 5_000,
};

/** Answers CloudFormation, which gets the response at the URL in its event. */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const body = JSON.stringify(await answerEvent(services, event));
  const response = await fetch(event.ResponseURL, { method: 'PUT', body, headers: { 'Content-Type': '' } });
  if (!response.ok) throw new Error(`CloudFormation did not take the response: ${response.status}`);
}
