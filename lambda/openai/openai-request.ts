/** Parses the body of `POST /v1/images/generations`. */

import * as z from 'zod/mini';
import { refusedCharacters } from '../contract/parameters';
import { pageBounds, type Style, sidePx, styles } from '../contract/request-bounds';
import type { HttpResult } from '../http/http-response';
import { readReceived } from '../http/read-body';
import { writeReceived } from '../problems/received';
import { isWithinBounds, type Size } from '../requests/rendition';
import { writeOpenAiError } from './errors';

/** The models: AI images, stock images, or AI images if no stock image fits. */
export const modelNames = ['ai', 'stock', 'auto'] as const;
export type ModelName = (typeof modelNames)[number];

/** Finds a model by its name. OpenAI's own names mean `ai`, because programs have them built in. */
export function findModel(name: string): ModelName | undefined {
  return /^(?:gpt-image|dall-e)-/.test(name) ? 'ai' : modelNames.find((modelName) => modelName === name);
}

/** Refuses a name that no model has. */
export function refuseModel(name: string): HttpResult {
  const message = `The model ${JSON.stringify(writeReceived(name))} does not exist. Use one of ${modelNames.join(', ')}.`;
  return writeOpenAiError(404, { message, code: 'model_not_found', param: 'model' });
}

const promptCharactersMax = 1_000;
const imagesMax = 4;

const promptBounds = `required, 1 to ${promptCharactersMax} characters without control characters`;
const promptForm = new RegExp(
  `^(?=.*[\\p{L}\\p{N}])[^${refusedCharacters}]{1,${promptCharactersMax}}$`,
  'su',
);
const sideBounds = `${sidePx.min} to ${sidePx.max} pixels`;
const sizeBounds = `auto, or WIDTHxHEIGHT with sides of ${sideBounds}, such as 1024x1024`;
const numberBounds = `a whole number from 1 to ${imagesMax}`;
const makeListField = <Value extends string>(...values: readonly Value[]) =>
  z.nullish(z.enum(values, `one of ${values.join(', ')}`));

/** The body of a request. Other fields have no effect, and `null` counts as absent. */
export const openAiRequestSchema = z.object(
  {
    prompt: z.string(promptBounds).check(
      z.regex(promptForm, promptBounds),
      z.refine((text) => text.isWellFormed(), promptBounds),
    ),
    model: z
      .nullish(z.string('a text'))
      .check(z.describe('ai (default), stock, or auto: stock, and AI where nothing fits.')),
    n: z.nullish(z.int(numberBounds).check(z.gte(1, numberBounds), z.lte(imagesMax, numberBounds))),
    size: z.nullish(z.string(sizeBounds)).check(
      z.refine((size) => !size || parseRequestedSize(size) !== undefined, sizeBounds),
      z.describe(sizeBounds),
    ),
    response_format: makeListField('url', 'b64_json'),
    output_format: makeListField('jpeg', 'webp'),
    quality: makeListField('auto', 'low', 'medium', 'high', 'standard', 'hd'),
    style: makeListField('vivid', 'natural', ...styles),
    background: makeListField('auto', 'opaque'),
    moderation: makeListField('auto', 'low'),
    stream: z.nullish(z.literal(false, 'false, because images are sent as a whole')),
  },
  'a JSON object',
);

/** The most bytes of base64 for each pixel of a file, with a margin. */
const dataPerPixelMax = 1.15;
const tooLargeMessage = `size: images as b64_json have at most ${pageBounds.answerBytesMax / 1_000_000} MB. Ask for fewer or smaller ones, or for response_format url.`;

/** A request for images with every default filled in. Its prompt has single spaces. */
export interface OpenAiRequest {
  readonly prompt: string;
  readonly model: ModelName;
  readonly imageCount: number;
  readonly size: Size;
  readonly style: Style;
  readonly format: 'jpeg' | 'webp';
  readonly isBase64: boolean;
}

/** Parses a request, or refuses it for its first wrong field. @param body JSON that is not validated yet */
export function parseOpenAiRequest(body: unknown): OpenAiRequest | { readonly refusal: HttpResult } {
  const { data, error } = openAiRequestSchema.safeParse(body);
  const [{ path, message } = { path: [], message: '' }] = error?.issues ?? [];
  const size = data && parseRequestedSize(data.size || 'auto');
  if (!size) {
    const param = path.join('.') || 'body';
    const { received } = readReceived(body, path);
    return refuseField(param, `${param}: ${message}${received ? ` (received: ${received})` : ''}.`);
  }
  const name = data.model || 'ai';
  const model = findModel(name);
  if (!model) return { refusal: refuseModel(name) };
  const imageCount = data.n ?? 1;
  const defaultFormat = name.startsWith('gpt-image-') ? 'b64_json' : 'url';
  const isBase64 = (data.response_format ?? defaultFormat) === 'b64_json';
  if (isBase64 && size.widthPx * size.heightPx * imageCount * dataPerPixelMax > pageBounds.answerBytesMax)
    return refuseField('size', tooLargeMessage);
  const prompt = data.prompt.normalize('NFKC').replace(/\s+/g, ' ').trim();
  // OpenAI's styles, `vivid` and `natural`, mean a photo.
  const style = styles.find((ownStyle) => ownStyle === data.style) ?? 'photo';
  return { prompt, model, imageCount, size, style, format: data.output_format ?? 'jpeg', isBase64 };
}

const refuseField = (param: string, message: string) => ({
  refusal: writeOpenAiError(400, { message, code: 'invalid_parameter', param }),
});

function parseRequestedSize(size: string): Size | undefined {
  if (size === 'auto') return { widthPx: 1024, heightPx: 1024 };
  const [, widthPx = 0, heightPx = 0] = (/^([1-9]\d*)x([1-9]\d*)$/.exec(size) ?? []).map(Number);
  return isWithinBounds({ widthPx, heightPx }) ? { widthPx, heightPx } : undefined;
}
