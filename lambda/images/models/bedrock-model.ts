/** Asks a model on Amazon Bedrock by its Converse API; the answer is the input of a tool that it has to use. */

import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { SettingsOfModel } from '../../contract/judges';
import { awsConnectionTimeoutMs } from '../../contract/timeouts';
import type { RequestModel } from '../look';

const clients = new Map<string, BedrockRuntimeClient>();

/**
 * One client for each region, without attempts of its own: a request is sent once. By HTTP/1.1 instead of its own HTTP/2:
 * a session that was open when Lambda froze the function is dead when it thaws.
 */
function connect(region: string): BedrockRuntimeClient {
  const client =
    clients.get(region) ??
    new BedrockRuntimeClient({
      region,
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler({ connectionTimeout: awsConnectionTimeoutMs }),
    });
  clients.set(region, client);
  return client;
}

/** @returns the input of the tool as JSON @throws when the model does not answer, or uses no tool */
export async function requestBedrock(
  { modelId, region }: Pick<SettingsOfModel<'bedrock'>, 'modelId' | 'region'>,
  ...[{ system, text, image, schema, name }, abortSignal]: Parameters<RequestModel>
): Promise<string> {
  type Message = NonNullable<ConverseCommandInput['messages']>[number];
  type Tool = NonNullable<NonNullable<ConverseCommandInput['toolConfig']>['tools']>[number];
  const content: NonNullable<Message['content']> = [
    { text },
    ...(image ? [{ image: { format: 'jpeg' as const, source: { bytes: image.bytes } } }] : []),
  ];
  const tool = { toolSpec: { name, inputSchema: { json: schema } } } as Tool;
  const command = new ConverseCommand({
    modelId,
    system: [{ text: system }],
    messages: [{ role: 'user', content }],
    inferenceConfig: { temperature: 0 },
    toolConfig: { tools: [tool], toolChoice: { tool: { name } } },
  });
  const { output } = await connect(region)
    .send(command, { abortSignal })
    .catch((cause: unknown) => {
      throw new Error(`Bedrock answered with ${(cause as Error).name}`, { cause });
    });
  const used = output?.message?.content?.find((part) => part.toolUse?.name === name);
  if (used?.toolUse?.input === undefined) throw new Error('The model used no tool');
  return JSON.stringify(used.toolUse.input);
}
