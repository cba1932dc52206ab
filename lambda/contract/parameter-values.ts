/** The kinds of values that parameters have: whole numbers, sides, and words without control characters. */

import * as z from 'zod/mini';

/** A whole number within bounds, from its digits. */
export const wholeNumber = (min: number, max: number) =>
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

/** Characters that no text may hold, as a range of a pattern: control characters and broken encoding. */
export const refusedCharacters = '\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\ufffd';

/** Characters that are drawn as nothing, as ranges of a pattern: soft hyphens, zero-width spaces and marks of direction. */
const invisibleCharacters = '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff';

/**
 * Text of `min` to `max` characters (code points) without control characters or broken encoding, of which at least `min`
 * are visible and no separators of words. It is a pattern, so that it stands in the published schema too; the white space in it is
 * what `normalise` makes a space of.
 */
export const words = (min: 0 | 1, max: number) => {
  const refused = refusedCharacters;
  const pattern =
    min === 0
      ? `^[^${refused}]{0,${max}}$`
      : `^\\s*(?=[-_\\s${invisibleCharacters}]*[^-_\\s${invisibleCharacters}])[^\\s${refused}][^${refused}]{0,${max - 1}}$`;
  return z.pipe(
    z.pipe(z.string(), z.transform(normalise)),
    z.string().check(
      z.regex(new RegExp(pattern, 'u')),
      z.refine((text) => text.isWellFormed()),
    ),
  );
};

/** A side in pixels from `sidePx.min` to `sidePx.max`. */
export const sidePattern = '(?:[1-9]\\d{2}|[123]\\d{3}|4000)';
