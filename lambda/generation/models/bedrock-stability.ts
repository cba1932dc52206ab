/** Asks Stability AI's models on Amazon Bedrock. */

import {
  BedrockRuntimeClient,
  type BedrockRuntimeServiceException,
  InvokeModelCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { parseJson } from '../../base/parse';
import {
  bedrockModels,
  readFoundationModel,
  type SettingsOfGenerator,
  type StabilityModel,
} from '../../contract/generators';
import { modelConnectionTimeoutMs } from '../../contract/timeouts';
import { makeVariationSeed } from '../ai-image-identity';
import { type Model, ModelFailure, type ModelReply, type ModelRequest } from './model';

/** Opens a model on Bedrock. Its client makes one attempt, because `drawImage` repeats requests. */
export function openBedrockStability(
  { kind, modelId, region }: SettingsOfGenerator<'bedrock-stability'>,
  client = connectBedrock(region),
): Model {
  // A model that is not in the list is not used with a base image.
  const models: Readonly<Record<string, StabilityModel>> = bedrockModels;
  const modelFacts = models[readFoundationModel(modelId)] ?? {};
  const invoke = async (body: object, abortSignal: AbortSignal): Promise<ModelReply> => {
    const json = 'application/json';
    const command = { modelId, contentType: json, accept: json, body: JSON.stringify(body) };
    try {
      const output = await client.send(new InvokeModelCommand(command), { abortSignal });
      return readImageReply(parseJson(output.body.transformToString()), modelId);
    } catch (error) {
      const { name: code = '', message = '', $metadata } = error as Partial<BedrockRuntimeServiceException>;
      // No request was sent without credentials.
      const status = code === 'CredentialsProviderError' ? 401 : $metadata?.httpStatusCode;
      if (status === undefined) throw error;
      if (code === 'ValidationException' && /content filter|responsible ai/i.test(message))
        return { refused: 'content filter' };
      return { status, code, detail: message.slice(0, 300) };
    }
  };
  return {
    name: modelId,
    kind,
    startsFromImages: modelFacts.strength !== undefined,
    async ask(request, signal) {
      const { negative_prompt, ...plain } = writeBody(request, modelFacts);
      const reply = await invoke({ ...plain, negative_prompt }, signal);
      // AWS documents the field for all of these models, but some versions refuse it. They make nothing then.
      return 'status' in reply && reply.code === 'ValidationException' ? invoke(plain, signal) : reply;
    },
  };
}

/** Connects by HTTP/1.1, because a session of HTTP/2 is dead after Lambda has frozen the function. */
function connectBedrock(region: string): BedrockRuntimeClient {
  const requestHandler = new NodeHttpHandler({ connectionTimeout: modelConnectionTimeoutMs });
  return new BedrockRuntimeClient({ region, maxAttempts: 1, requestHandler });
}

// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-stability-diffusion.html
function writeBody({ prompt, unwanted, ratio, seed, variation, base }: ModelRequest, facts: StabilityModel) {
  const { strength, mode } = facts;
  const startsFromBase = base !== undefined && strength !== undefined;
  return {
    prompt,
    negative_prompt: unwanted,
    // A variation that starts from an image has the ratio of that image.
    ...(startsFromBase
      ? { image: Buffer.from(base).toString('base64'), strength, ...(mode && { mode }) }
      : { aspect_ratio: ratio }),
    seed: makeVariationSeed(seed, variation),
    output_format: 'jpeg',
  };
}

/** Reads a reply with status 200. The model sends this status also for a refusal and for a failure. */
function readImageReply(reply: unknown, modelId: string): ModelReply {
  if (typeof reply !== 'object' || reply === null)
    throw new ModelFailure('unknown', `${modelId} sent no JSON object`);
  const { finish_reasons, images, 'amazon-bedrock-guardrailAction': guardrail } = reply as StabilityReply;
  const [reason] = finish_reasons ?? [];
  if (guardrail === 'INTERVENED') return { refused: 'guardrail' };
  if (reason?.startsWith('Filter reason')) return { refused: reason };
  // Any other reason is a failure of the model.
  if (reason) return { status: 500, code: reason.slice(0, 100) };
  return { image: Buffer.from(images?.[0] ?? '', 'base64') };
}

interface StabilityReply {
  readonly finish_reasons?: readonly (string | null)[];
  readonly images?: readonly string[];
  readonly 'amazon-bedrock-guardrailAction'?: string;
}
