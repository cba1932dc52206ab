/** Asks models behind OpenAI's images API: OpenAI, Azure, LiteLLM, LocalAI, vLLM and others. */

import { parseJson } from '../../base/parse';
import type { SettingsOfGenerator } from '../../contract/generators';
import type { FetchedOriginal } from '../../images/fetch/fetch-original';
import { findNearestRatio, parseRatio } from '../../requests/rendition';
import { type AspectRatio, computeSizeOfRatio } from '../ai-image-identity';
import { type Model, ModelFailure, type ModelReply } from './model';

/** The ways to read an API key, and to download an image when the reply contains its URL. */
export interface OpenAiCompatibleDeps {
  readonly readKey: (name: string) => Promise<string | undefined>;
  /** `fetchOriginal` with the rules of the generator function. */
  readonly fetchOriginal: (
    url: string,
    allowedHosts: readonly string[],
    signal: AbortSignal,
  ) => Promise<FetchedOriginal>;
}

/** Longer side of an image in pixels, if the settings list no sizes. */
const longSidePx = 1_536;

/** Opens a model behind an HTTP API. If it replies with a URL, the image is fetched from `imageHosts` only. */
export function openOpenAiCompatible(
  settings: SettingsOfGenerator<'openai-compatible'>,
  deps: OpenAiCompatibleDeps,
): Model {
  const { kind, baseUrl, model, apiKeyName, sizes, extraBody } = settings;
  const imageHosts = settings.imageHosts ?? [new URL(baseUrl).host];
  return {
    name: model,
    kind,
    startsFromImages: false,
    async ask({ prompt, unwanted, ratio }, signal) {
      const size = chooseSize(ratio, sizes);
      const body = { model, prompt: `${prompt} Leave out: ${unwanted}.`, n: 1, size, ...extraBody };
      const authorization = apiKeyName !== undefined && (await readAuthorization(deps, apiKeyName));
      const headers = { 'content-type': 'application/json', ...authorization };
      const request = { method: 'POST', redirect: 'error', headers, body: JSON.stringify(body) } as const;
      const response = await fetch(`${baseUrl}/images/generations`, { ...request, signal });
      const text = await response.text();
      if (!response.ok) return readError(response, text);
      return loadImage(parseJson(text), (imageUrl) => deps.fetchOriginal(imageUrl, imageHosts, signal));
    },
  };
}

async function readAuthorization({ readKey }: OpenAiCompatibleDeps, name: string) {
  const key = await readKey(name).catch((cause: unknown) => {
    throw new ModelFailure('passing', 'The key of the generator could not be read', { cause });
  });
  if (key === undefined) throw new ModelFailure('final', `There is no key called ${name}`);
  return { authorization: `Bearer ${key}` };
}

/** Reads the image of a reply: from base64, or from the URL that the reply contains. */
async function loadImage(
  reply: unknown,
  fetchImage: (url: string) => Promise<FetchedOriginal>,
): Promise<ModelReply> {
  const { data } = (reply ?? {}) as ImagesReply;
  const { b64_json, url } = (Array.isArray(data) && data[0]) || {};
  if (typeof b64_json === 'string')
    return { image: Buffer.from(b64_json.replace(/^data:[^,]*,/, ''), 'base64') };
  if (typeof url !== 'string') throw new ModelFailure('unknown', 'The reply holds no image');
  const original = await fetchImage(url).catch((cause: unknown) => {
    throw new ModelFailure('unknown', 'The image was not fetched', { cause });
  });
  if (original.outcome === 'fetched') return { image: original.bytes };
  throw new ModelFailure('unknown', `The image could not be fetched: ${original.reason}`);
}

interface ImagesReply {
  readonly data?: readonly ({ readonly b64_json?: unknown; readonly url?: unknown } | null)[];
}

/** Chooses the nearest size of the settings. Without sizes, both sides are multiples of 16. */
function chooseSize(ratio: AspectRatio, sizes: readonly string[]): string {
  const { widthPx, heightPx } = computeSizeOfRatio(ratio, longSidePx);
  const multiple = `${Math.round(widthPx / 16) * 16}x${Math.round(heightPx / 16) * 16}`;
  return findNearestRatio(sizes, parseRatio(ratio)) ?? multiple;
}

const refusalNames = ['moderation_blocked', 'content_policy_violation', 'content_filter'];

/** Reads an error. Its message is left out, because it may repeat the prompt. */
function readError({ status, headers }: Response, text: string): ModelReply {
  const { error } = (parseJson(text) ?? {}) as { readonly error?: unknown };
  const { code, type } = (error ?? {}) as { readonly code?: string; readonly type?: string };
  const name = [code, type].find((value) => typeof value === 'string') ?? '';
  if (refusalNames.includes(name)) return { refused: name };
  const retryAfter = headers.get('retry-after') ?? '';
  return {
    status,
    code: name.slice(0, 100),
    // The status is 429, but the failure does not pass.
    kind: name === 'insufficient_quota' ? 'final' : undefined,
    ...(/^\d+$/.test(retryAfter) && { retryAfterMs: Number(retryAfter) * 1_000 }),
  };
}
