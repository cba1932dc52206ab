/** The parameters of a request for an image: the schema that validates them and says their bounds. */

import * as z from 'zod/mini';
import {
  choiceBounds,
  queryCharactersMax,
  seedCharactersMax,
  sidePx,
  styles,
  visibilities,
} from '../../../domain/request/image-request';
import { stockSlots } from '../../../domain/request/slot';

const wholeNumber = (min: number, max: number) =>
  z.pipe(
    z.pipe(
      z.string().check(z.regex(/^\d+$/)),
      z.transform((digits: string) => Number(digits)),
    ),
    z.int().check(z.gte(min), z.lte(max)),
  );

/** NFKC, trimmed, inner white space collapsed to single spaces. */
function normalise(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/**
 * Text of `min` to `max` characters (code points) without control characters or broken encoding. It is a pattern, so
 * that it stands in the published schema too; the white space in it is what `normalise` makes a space of.
 */
const words = (min: 0 | 1, max: number) => {
  const refused = '\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\ufffd';
  const pattern =
    min === 0 ? `^[^${refused}]{0,${max}}$` : `^\\s*[^\\s${refused}][^${refused}]{0,${max - 1}}$`;
  return z.pipe(
    z.pipe(z.string(), z.transform(normalise)),
    z.string().check(
      z.regex(new RegExp(pattern, 'u')),
      z.refine((text) => text.isWellFormed()),
    ),
  );
};

/** The schema of all parameters. Unknown ones are dropped: people add cache-busters to image tags. */
export const parameters = z.object({
  query: words(1, queryCharactersMax),
  provider: z._default(z.enum([...stockSlots, 'ai']), 'stock_a'),
  width: z._default(wholeNumber(sidePx.min, sidePx.max), sidePx.defaultWidth),
  height: z._default(wholeNumber(sidePx.min, sidePx.max), sidePx.defaultHeight),
  style: z._default(z.enum(styles), 'photo'),
  variation: z.optional(wholeNumber(choiceBounds.min, choiceBounds.max)),
  alt: z.optional(wholeNumber(choiceBounds.min, choiceBounds.max)),
  visibility: z._default(z.enum(visibilities), 'private'),
  seed: z._default(words(0, seedCharactersMax), ''),
  format: z.optional(z.enum(['json'])),
  api_key: z.optional(z.string()),
});

export type ParameterName = keyof typeof parameters.shape;
export const parameterNames = Object.keys(parameters.shape) as readonly ParameterName[];

const side = `a whole number from ${sidePx.min} to ${sidePx.max}, in pixels`;
const choice = `a whole number from ${choiceBounds.min} to ${choiceBounds.max}`;
const oneOf = (values: readonly string[]) => `one of ${values.join(', ')}`;

/** What each parameter accepts, in words for the caller who got it wrong. */
export const bounds: Readonly<Record<ParameterName, string>> = {
  query: `required, 1 to ${queryCharactersMax} characters without control characters`,
  provider: oneOf([...stockSlots, 'ai']),
  width: side,
  height: side,
  style: oneOf(styles),
  variation: choice,
  alt: choice,
  visibility: oneOf(visibilities),
  seed: `at most ${seedCharactersMax} characters without control characters`,
  format: 'json, or absent for the redirect',
  api_key: 'a key that begins with pk_live_ or pk_test_',
};
