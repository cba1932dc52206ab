/** Reads the body of `POST /v1/images/generations`. */

import * as z from 'zod/mini';
import { refusedCharacters } from '../contract/parameters';
import { sidePx, styles } from '../contract/request-bounds';
import { receivedAt } from '../http/read-body';

/** Longest prompt, in characters, and most images of one call. */
const [promptCharactersMax, imagesMax] = [1_000, 4];

const promptBounds = `required, 1 to ${promptCharactersMax} characters without control characters`;
const prompt = new RegExp(`^(?=.*[\\p{L}\\p{N}])[^${refusedCharacters}]{1,${promptCharactersMax}}$`, 'su');
const sides = `${sidePx.min} to ${sidePx.max} pixels`;
const sizeBounds = `auto, or WIDTHxHEIGHT with sides of ${sides}, such as 1024x1024`;
const numberBounds = `a whole number from 1 to ${imagesMax}`;
const oneOf = (...values: readonly string[]) => z.nullish(z.enum(values, `one of ${values.join(', ')}`));

/** The body. Fields that it does not name have no effect, and `null` counts as absent. */
export const orderSchema = z.object(
  {
    prompt: z.string(promptBounds).check(
      z.regex(prompt, promptBounds),
      z.refine((text) => text.isWellFormed(), promptBounds),
    ),
    model: z
      .nullish(z.string('a text'))
      .check(z.describe('ai (default), stock, or auto: stock, and AI where nothing fits.')),
    n: z.nullish(z.int(numberBounds).check(z.gte(1, numberBounds), z.lte(imagesMax, numberBounds))),
    size: z.nullish(z.string(sizeBounds)).check(
      z.refine((size) => !size || sizeIn(size) !== undefined, sizeBounds),
      z.describe(sizeBounds),
    ),
    response_format: oneOf('url', 'b64_json'),
    output_format: oneOf('jpeg', 'webp'),
    quality: oneOf('auto', 'low', 'medium', 'high', 'standard', 'hd'),
    style: oneOf('vivid', 'natural', ...styles),
    background: oneOf('auto', 'opaque'),
    moderation: oneOf('auto', 'low'),
    stream: z.nullish(z.literal(false, 'false: images are answered as a whole')),
  },
  'a JSON object',
);

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** What is ordered: the body with its defaults, and its prompt with single spaces. */
export type Order = Pick<z.infer<typeof orderSchema>, 'response_format' | 'style'> & {
  readonly prompt: string;
  readonly model: string;
  readonly n: number;
  readonly size: Sides;
  readonly output_format: string;
};

/** The order, or what is wrong with its first faulty field. @param body as JSON, not validated yet */
export function readOrder(
  body: unknown,
): { readonly order: Order } | { readonly param: string; readonly message: string } {
  const { data, error } = orderSchema.safeParse(body);
  const [{ path, message } = { path: [], message: '' }] = error?.issues ?? [];
  const param = path.join('.') || 'body';
  const { received } = receivedAt(body, path);
  const size = data && sizeIn(data.size || 'auto');
  if (!size) return { param, message: `${param}: ${message}${received ? ` (received: ${received})` : ''}.` };
  const text = data.prompt.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const { model, n, output_format } = data;
  const others = { model: model ?? 'ai', n: n ?? 1, output_format: output_format ?? 'jpeg' };
  return { order: { ...data, ...others, size, prompt: text } };
}

/** Sides in pixels; `undefined` for a text that states none within the bounds. */
function sizeIn(size: string): Sides | undefined {
  if (size === 'auto') return { width: 1024, height: 1024 };
  const [, width = 0, height = 0] = (/^(\d{3,4})x(\d{3,4})$/.exec(size) ?? []).map(Number);
  const isWithin = [width, height].every((side) => side >= sidePx.min && side <= sidePx.max);
  return isWithin ? { width, height } : undefined;
}
