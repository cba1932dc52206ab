/** Stability AI's models on Amazon Bedrock. */

import {
  BedrockRuntimeClient,
  type BedrockRuntimeServiceException,
  InvokeModelCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { parseJson } from '../../base/parse-json';
import {
  bedrockModels,
  foundationModelOf,
  type SettingsOfGenerator,
  type StabilityModel,
} from '../../contract/generators';
import { modelConnectionTimeoutMs } from '../../contract/timeouts';
import { variationSeedOf } from '../generation-identity';
import { type Model, ModelFailure, type Reply, type Wanted } from './model';

/** @param client of the settings' region; with `maxAttempts: 1`, as it is decided elsewhere what is repeated */
export function bedrockStability(
  { kind, modelId, region }: SettingsOfGenerator<'bedrock-stability'>,
  client = connect(region),
): Model {
  // A model that is not listed is asked by words alone, without an image to start from.
  const models: Readonly<Record<string, StabilityModel>> = bedrockModels;
  const facts = models[foundationModelOf(modelId)] ?? {};
  const invoke = async (body: object, abortSignal: AbortSignal): Promise<Reply> => {
    const json = 'application/json';
    const command = { modelId, contentType: json, accept: json, body: JSON.stringify(body) };
    try {
      const answer = await client.send(new InvokeModelCommand(command), { abortSignal });
      return imageIn(parseJson(answer.body.transformToString()), modelId);
    } catch (error) {
      const {
        name: code,
        message = '',
        $metadata,
      } = error as Partial<BedrockRuntimeServiceException> & Error;
      // Credentials that are not there are the account's fault, and nothing was sent.
      const status = code === 'CredentialsProviderError' ? 401 : $metadata?.httpStatusCode;
      if (status === undefined) throw error;
      if (code === 'ValidationException' && /content filter|responsible ai/i.test(message))
        return { refused: 'content filter' };
      return { status, code, about: message.slice(0, 300) };
    }
  };
  return {
    name: modelId,
    kind,
    startsFromImages: facts.strength !== undefined,
    errors: {},
    async ask(wanted, signal) {
      const { negative_prompt, ...plain } = bodyFor(wanted, facts);
      const reply = await invoke({ ...plain, negative_prompt }, signal);
      // AWS documents the field for all of these models, but not every version takes it.
      return 'status' in reply && reply.code === 'ValidationException' ? invoke(plain, signal) : reply;
    },
  };
}

/**
 * HTTP/1.1 instead of this client's HTTP/2: a session that was open when Lambda froze the function is dead when it thaws,
 * and nothing here is streamed.
 */
function connect(region: string): BedrockRuntimeClient {
  const requestHandler = new NodeHttpHandler({ connectionTimeout: modelConnectionTimeoutMs });
  return new BedrockRuntimeClient({ region, maxAttempts: 1, requestHandler });
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-stability-diffusion.html */
function bodyFor({ prompt, unwanted, ratio, seed, variation, base }: Wanted, facts: StabilityModel) {
  const { strength, mode } = facts;
  const startsFromBase = base !== undefined && strength !== undefined;
  return {
    prompt,
    negative_prompt: unwanted,
    // An image to start from brings its own ratio.
    ...(startsFromBase
      ? { image: Buffer.from(base).toString('base64'), strength, ...(mode && { mode }) }
      : { aspect_ratio: ratio }),
    seed: variationSeedOf(seed, variation),
    output_format: 'jpeg',
  };
}

/** A refused request, and one that the model has failed, answer with status 200 and no image. */
function imageIn(answer: unknown, modelId: string): Reply {
  if (typeof answer !== 'object' || answer === null)
    throw new ModelFailure('unknown', `${modelId} sent no JSON object`);
  const { finish_reasons, images, 'amazon-bedrock-guardrailAction': guardrail } = answer as StabilityAnswer;
  const [reason] = finish_reasons ?? [];
  if (guardrail === 'INTERVENED') return { refused: 'guardrail' };
  if (reason?.startsWith('Filter reason')) return { refused: reason };
  // The model has failed, whatever the status of the answer.
  if (reason) return { status: 500, code: reason.slice(0, 100) };
  return { image: Buffer.from(images?.[0] ?? '', 'base64') };
}

interface StabilityAnswer {
  readonly finish_reasons?: readonly (string | null)[];
  readonly images?: readonly string[];
  readonly 'amazon-bedrock-guardrailAction'?: string;
}
