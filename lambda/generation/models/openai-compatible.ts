/** The generator by any server that speaks OpenAI's images API: OpenAI, Azure, LiteLLM, LocalAI, vLLM and others. */

import type { Clock } from '../../base/clock';
import { parseJson } from '../../base/parse-json';
import type { SettingsOfGenerator } from '../../contract/generators';
import type { FetchedOriginal } from '../../images/fetch/fetch-original';
import { imageTypeOf } from '../../images/image-type';
import { aspectBuckets } from '../generation-identity';
import { type Drawn, type Generator, GeneratorFailure, type GeneratorRequest } from '../generator';
import { noAnswer, withAttempts } from './attempts';
import { isRefusal, openAiFailureOf } from './openai/failure';
import { imagesRequest, openAiSeedMax } from './openai/request';

/** `fetchOriginal` within the rules of the generator function. */
export type FetchImage = (
  url: string,
  allowedHosts: readonly string[],
  signal: AbortSignal,
) => Promise<FetchedOriginal>;

/** Keys and images are fetched by these alone. */
export interface OpenAiCompatibleDeps {
  /** The key of a name, or `undefined` when there is none. */
  readonly readKey: (name: string) => Promise<string | undefined>;
  readonly fetchOriginal: FetchImage;
  readonly clock: Clock;
}

/** Longest answer, in characters: an image of 30 million bytes in base 64. */
const answerCharactersMax = 40_000_000;

/** Asks at most three times within `timeoutMs`; images are fetched from `imageHosts` alone. */
export function createOpenAiCompatible(
  settings: SettingsOfGenerator<'openai-compatible'>,
  { readKey, fetchOriginal, clock }: OpenAiCompatibleDeps,
): Generator {
  const { baseUrl, model, apiKeyName, timeoutMs } = settings;
  const imageHosts = settings.imageHosts ?? [new URL(baseUrl).host];

  const headers = async (): Promise<Record<string, string>> => {
    const json = { 'content-type': 'application/json' };
    if (apiKeyName === undefined) return json;
    const key = await readKey(apiKeyName).catch((cause: unknown) => {
      const isUnbilled = true;
      throw new GeneratorFailure('unavailable', 'The key of the generator could not be read', {
        cause,
        isUnbilled,
      });
    });
    if (key === undefined) throw new GeneratorFailure('unauthorized', `There is no key called ${apiKeyName}`);
    return { ...json, authorization: `Bearer ${key}` };
  };

  const draw = async (wanted: GeneratorRequest, signal: AbortSignal): Promise<Drawn> => {
    const request = {
      method: 'POST',
      headers: await headers(),
      body: JSON.stringify(imagesRequest(wanted, settings)),
    };
    let answer: Response;
    let body: string;
    try {
      answer = await fetch(`${baseUrl}/images/generations`, { ...request, redirect: 'error', signal });
      body = await answer.text();
    } catch (error) {
      throw noAnswer('The generator', signal, error);
    }
    if (isRefusal(answer.status, body)) return { outcome: 'refused', reason: 'moderation' };
    if (!answer.ok) throw openAiFailureOf(answer.status, body, answer.headers.get('retry-after'));
    if (body.length > answerCharactersMax) throw new GeneratorFailure('malformed', 'The answer is too long');
    const bytes = await image(body, signal);
    const mediaType = imageTypeOf(bytes);
    if (!mediaType) throw new GeneratorFailure('malformed', 'The generator sent no image');
    return { outcome: 'image', bytes, mediaType, model };
  };

  /** The image of an answer, which holds it or says where it is. */
  const image = async (body: string, signal: AbortSignal): Promise<Uint8Array> => {
    const { b64_json, url } = firstOf(body);
    if (typeof b64_json === 'string') return Buffer.from(b64_json.replace(/^data:[^,]*,/, ''), 'base64');
    if (typeof url !== 'string') throw new GeneratorFailure('malformed', 'The answer holds no image');
    const fetched = await fetchOriginal(url, imageHosts, signal).catch((cause: unknown) => {
      throw new GeneratorFailure('unavailable', 'The image was not fetched', { cause });
    });
    if (fetched.outcome === 'fetched') return fetched.bytes;
    throw new GeneratorFailure('malformed', `The image could not be fetched: ${fetched.reason}`);
  };

  return {
    capability: {
      imageToImage: false,
      ...(settings.sendSeed ? { seedMax: openAiSeedMax } : {}),
      aspectRatios: settings.sizeMode === 'list' || settings.sizeMode === 'omit' ? [] : aspectBuckets,
    },
    generate: (wanted, signal) => {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      return withAttempts(clock, inTime, () => draw(wanted, inTime));
    },
  };
}

/** The first image of an answer, with its fields as they came. */
function firstOf(body: string): { readonly b64_json?: unknown; readonly url?: unknown } {
  const { data } = (parseJson(body) ?? {}) as { readonly data?: unknown };
  const first: unknown = Array.isArray(data) ? data[0] : undefined;
  if (typeof first === 'object' && first !== null) return first;
  throw new GeneratorFailure('malformed', 'The generator sent no list of images');
}
