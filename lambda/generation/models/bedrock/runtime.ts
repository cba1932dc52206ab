/** The client that asks Bedrock's models. */

import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { modelConnectionTimeoutMs } from '../../../contract/timeouts';

/**
 * One attempt, as the adapter decides what is repeated. HTTP/1.1 instead of this client's HTTP/2: a session that was
 * open when Lambda froze the function is dead when it thaws, and nothing here is streamed.
 */
export function connectBedrockRuntime(region: string): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    region,
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({ connectionTimeout: modelConnectionTimeoutMs }),
  });
}
