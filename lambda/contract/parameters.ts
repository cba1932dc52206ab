/** The parameters of a request for an image: how they are read, which of them go together, their bounds, and their texts for callers. */

import { imageSources } from './providers';
import {
  avoidables,
  choiceBounds,
  colorNames,
  crops,
  labels,
  languageTag,
  licenses,
  onMisses,
  pickPattern,
  queryCharactersMax,
  rankSeedMax,
  seedCharactersMax,
  sidePx,
  styles,
  visibilities,
} from './request-bounds';

/** NFKC, trimmed, inner white space collapsed to single spaces. */
function normalise(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/** Characters that no text may hold, as a range of a pattern: control characters and broken encoding. */
export const refusedCharacters = '\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\ufffd';

/**
 * Characters of which alone no word is made, as ranges of a pattern: separators, with those that `normalise` makes one of, and what
 * is drawn as nothing (soft hyphens, zero-width spaces and marks of direction).
 */
export const wordlessCharacters =
  '-_\\s\\ufe33\\ufe34\\ufe4d-\\ufe4f\\ufe63\\uff0d\\uff3f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff';

/** How a parameter is read from its text. By hand, since every start of the image function would load a library for it. */
export interface Parameter<T, Absent> {
  /** `undefined` for a text that is out of bounds. */
  readonly read: (text: string) => T | undefined;
  /** The value where the parameter is not given. */
  readonly absent: Absent;
  /** What is read, as JSON Schema (draft 2020-12) describes it. */
  readonly schema: Readonly<Record<string, unknown>>;
}

type Reader<T> = Pick<Parameter<T, never>, 'read' | 'schema'>;

const optional = <T>(reader: Reader<T>): Parameter<T, undefined> => ({ ...reader, absent: undefined });

const withDefault = <T>({ read, schema }: Reader<T>, absent: T): Parameter<T, T> => ({
  read,
  absent,
  schema: { default: absent, ...schema },
});

/** A whole number within bounds, from its digits. */
const wholeNumber = (minimum: number, maximum: number): Reader<number> => ({
  read: (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  },
  schema: { type: 'integer', minimum, maximum },
});

const oneOf = <T extends string>(values: readonly T[]): Reader<T> => ({
  read: (text) => values.find((value) => value === text),
  schema: { type: 'string', enum: values },
});

const matching = (pattern: RegExp): Reader<string> => ({
  read: (text) => (pattern.test(text) ? text : undefined),
  schema: { type: 'string', pattern: pattern.source },
});

const inLowerCase = ({ read, schema }: Reader<string>): Reader<string> => ({
  read: (text) => read(text)?.toLowerCase(),
  schema,
});

const anyText: Reader<string> = { read: (text) => text, schema: { type: 'string' } };

/**
 * Text of `min` to `max` characters (code points) without control characters or broken encoding, of which at least `min`
 * are visible and no separators of words. It is a pattern, so that it stands in the published schema too; the white space in it is
 * what `normalise` makes a space of.
 */
const words = (min: 0 | 1, max: number): Reader<string> => {
  const refused = refusedCharacters;
  const pattern =
    min === 0
      ? `^[^${refused}]{0,${max}}$`
      : `^\\s*(?=[${wordlessCharacters}]*[^${wordlessCharacters}])[^\\s${refused}][^${refused}]{0,${max - 1}}$`;
  const { read, schema } = matching(new RegExp(pattern, 'u'));
  return {
    read: (text) => {
      const normal = normalise(text);
      return normal.isWellFormed() ? read(normal) : undefined;
    },
    schema,
  };
};

/** A side in pixels from `sidePx.min` to `sidePx.max`. */
export const sidePattern = '(?:[1-9]\\d{2}|[123]\\d{3}|4000)';

/** All parameters, in the order in which they are documented. Others have no effect: people add cache-busters to image tags. */
export const parameters = {
  /** Required, except beside `pick`. */
  query: { ...words(1, queryCharactersMax), absent: '' },
  provider: withDefault(oneOf(imageSources), 'stock_a'),
  width: withDefault(wholeNumber(sidePx.min, sidePx.max), sidePx.defaultWidth),
  height: withDefault(wholeNumber(sidePx.min, sidePx.max), sidePx.defaultHeight),
  style: withDefault(oneOf(styles), 'photo'),
  variation: optional(wholeNumber(choiceBounds.min, choiceBounds.max)),
  alt: optional(wholeNumber(choiceBounds.min, choiceBounds.max)),
  visibility: withDefault(oneOf(visibilities), 'private'),
  seed: withDefault(words(0, seedCharactersMax), ''),
  avoid: optional(matching(new RegExp(`^(${avoidables.join('|')})(,(${avoidables.join('|')}))*$`))),
  color: optional(inLowerCase(matching(new RegExp(`^(${colorNames.join('|')}|[0-9A-Fa-f]{6})$`)))),
  license: withDefault(oneOf(licenses), 'any'),
  lang: optional(inLowerCase(matching(languageTag))),
  crop: withDefault(oneOf(crops), 'attention'),
  onmiss: optional(oneOf(onMisses)),
  label: optional(oneOf(labels)),
  pick: optional(matching(pickPattern)),
  format: optional(oneOf(['json'])),
  publish: optional(matching(/^(true|false|sg_.+|site_.+)$/)),
  api_key: optional(anyText),
  upto: optional(matching(new RegExp(`^${sidePattern}x${sidePattern}$`))),
  signer: optional(anyText),
  expires: optional(matching(/^\d{1,12}$/)),
  signature: optional(anyText),
  site: optional(anyText),
} as const satisfies Readonly<Record<string, Parameter<string | number, unknown>>>;

/** A query parameter of an image request. */
export type ParameterName = keyof typeof parameters;
/** All query parameters, in the order in which they are documented. */
export const parameterNames = Object.keys(parameters) as readonly ParameterName[];

/** The values of all parameters. */
export type ParameterValues = {
  readonly [N in ParameterName]:
    | Exclude<ReturnType<(typeof parameters)[N]['read']>, undefined>
    | (typeof parameters)[N]['absent'];
};

/** The parameters that say who pays, and no more. */
export const credentialParameters = [
  'api_key',
  'signer',
  'expires',
  'signature',
  'site',
] as const satisfies readonly ParameterName[];

/** The parameters that a signature covers: all that decide which image a URL shows. */
export const signedParameters: readonly ParameterName[] = parameterNames.filter(
  (name) =>
    !['format', 'publish'].includes(name) &&
    !(credentialParameters as readonly ParameterName[]).includes(name),
);

/** The parameters of one image where it is asked for without a URL: in a batch, and by the tools of MCP. */
export const imageParameters: readonly ParameterName[] = signedParameters.filter((name) => name !== 'upto');

/** The parameters that the path form holds, so that they cannot be given beside it. */
export const pathFormParameters = ['query', 'width', 'height'] as const satisfies readonly ParameterName[];

/** The parameters that a permalink takes; everything else about its image is settled. */
export const permalinkParameters = [
  'width',
  'height',
  'label',
  'format',
  'publish',
  'api_key',
] as const satisfies readonly ParameterName[];

/** U+FFFD is what decoders write in place of bytes that are no UTF-8. */
const plainText = 'of valid UTF-8 without control characters';
const side = `a whole number from ${sidePx.min} to ${sidePx.max}, in pixels`;
const choice = `a whole number from ${choiceBounds.min} to ${choiceBounds.max}`;
const listed = (values: readonly string[]) => `one of ${values.join(', ')}`;

/** What each parameter accepts, in words for the caller whose value is out of bounds. */
export const bounds: Readonly<Record<ParameterName, string>> = {
  query: `required, 1 to ${queryCharactersMax} characters ${plainText}, not only spaces, hyphens, underscores and invisible characters`,
  provider: listed(imageSources),
  width: side,
  height: side,
  style: listed(styles),
  variation: choice,
  alt: choice,
  visibility: listed(visibilities),
  seed: `at most ${seedCharactersMax} characters ${plainText}`,
  avoid: `${avoidables.join(', ')}, or both with a comma between them`,
  color: `one of ${colorNames.join(', ')}, or RRGGBB as six hexadecimal digits`,
  license: listed(licenses),
  lang: 'a BCP 47 tag, such as pt-BR',
  crop: listed(crops),
  onmiss: 'ai, or absent',
  label: 'corner, or absent',
  pick: '20 lower-case hexadecimal digits, as in the record of an image',
  format: 'json, or absent for the redirect',
  publish: 'true, false, the id of a signer, or a site key',
  api_key: 'a key that begins with pk_live_ or pk_test_',
  upto: `WxH in a signed URL, each from ${sidePx.min} to ${sidePx.max}, in pixels`,
  signer: 'the id of a signer, which begins with sg_live_ or sg_test_',
  expires: 'Unix seconds, as 1 to 12 decimal digits',
  signature: '22 characters of base64url',
  site: 'a key that begins with site_live_ or site_test_',
};

/** What a reader of the documentation learns about a parameter beside its schema and bounds. */
export interface ParameterText {
  /** What the parameter is for; code in backticks. */
  readonly purpose: string;
  /** In the fewest words, for models; absent where name and values are enough. */
  readonly hint?: string;
  readonly example?: string | number;
  /** The sources on which alone it has an effect; absent for all. */
  readonly appliesTo?: 'stock' | 'ai';
  /** Bounds in characters, which the schema states as a pattern: once more for people and for generated clients. */
  readonly characters?: { readonly minLength?: number; readonly maxLength: number };
}

/** By parameter. */
export const parameterTexts: Readonly<Record<ParameterName, ParameterText>> = {
  query: {
    purpose: 'What the image should show, in a few words of any language.',
    hint: 'Two or three common words',
    example: 'mountain lake',
    characters: { minLength: 1, maxLength: queryCharactersMax },
  },
  provider: {
    purpose: 'Where the image comes from: one of three stock sources, or AI (requires a key).',
  },
  width: {
    purpose:
      'Width of the image in pixels. The image is cropped to cover exactly this size. One side alone takes the other from 16:9, within the bounds of both.',
    example: 1200,
  },
  height: {
    purpose: 'Height of the image in pixels.',
    example: 800,
  },
  style: {
    purpose: 'Style of an AI image. Applies to provider=ai only.',
    appliesTo: 'ai',
  },
  variation: {
    purpose:
      'Another image of the same AI concept. The same number returns the same image. Free when the base image exists in the same aspect ratio, style and visibility. Cannot be combined with alt.',
    appliesTo: 'ai',
  },
  alt: {
    purpose:
      'One of the public AI images that other accounts have generated for the same query. Free when there is one. Cannot be combined with variation.',
    appliesTo: 'ai',
  },
  visibility: {
    purpose: 'Whether a new AI image is private to your account, or available to other accounts through alt.',
    appliesTo: 'ai',
  },
  seed: {
    purpose: `Selects another stock image for the same query. \`2\` to \`${rankSeedMax}\` select the second best and so on; any other text draws one, good ones more often. Without a seed, and with \`1\`, the best image is returned. The same seed selects the same image at every size of one orientation. Where the query has fewer images, seeds start over, and \`X-Image-Note\` and the record’s \`note\` say so.`,
    hint: `2 to ${rankSeedMax}: nth match`,
    example: '2',
    appliesTo: 'stock',
    characters: { maxLength: seedCharactersMax },
  },
  avoid: {
    purpose:
      'What the stock image should not show: people, text, or both, as far as title, description and tags say.',
    hint: 'people, text or people,text',
    example: 'people',
    appliesTo: 'stock',
  },
  color: {
    purpose:
      'Preferred main colour of the stock image. Passed on to providers that search by colour; for the others, images that name the colour are preferred.',
    hint: 'Name or RRGGBB',
    example: 'blue',
    appliesTo: 'stock',
  },
  license: {
    purpose:
      'What the licence of the stock image has to allow. attribution-free: use without a credit. public-domain: any use, no rights reserved. A source without such an image is skipped.',
    example: 'attribution-free',
    appliesTo: 'stock',
  },
  lang: {
    purpose:
      'Language of `query`, as a BCP 47 tag. Passed on to providers that search by language; for the others, common nouns are translated into English. Without it the language is recognised by the words.',
    hint: 'Language of the query',
    example: 'pt-BR',
    appliesTo: 'stock',
  },
  crop: {
    purpose:
      'Which part of the stock image is kept when its ratio differs from the requested one. attention keeps what draws the eye; faces keeps faces where the provider detects them, else it equals attention.',
    appliesTo: 'stock',
  },
  onmiss: {
    purpose:
      'ai generates an image when no stock image covers any word of the query (requires a key). The generated image is priced and counted as provider=ai with visibility=private; the stock lookup is then free of charge.',
    appliesTo: 'stock',
  },
  label: {
    purpose:
      'corner draws a small mark, “AI”, into the lower right corner of an AI image. Stock images carry none. Some operators have every AI image carry it.',
    appliesTo: 'ai',
  },
  pick: {
    purpose:
      'Shows the image with this id from a record, whatever the words would find; `query` is then not required. An AI image is shown to its own account only.',
    hint: 'Of a record',
    example: '7f2c9b1e04d85a36c1f0',
  },
  format: {
    purpose:
      'json returns the record with status 200 instead of the redirect, which browser scripts cannot read.',
  },
  publish: {
    purpose:
      'What signs the URLs of a record: true, the default, is the newest signer of the account. With an API key.',
  },
  api_key: {
    purpose:
      'The API key, for callers that cannot send a header. It is secret and visible wherever the URL is: never put it into a page.',
  },
  upto: {
    purpose:
      'Largest size of the image as WxH, for example 1920x1080, signed in place of width and height, so that a page can build its srcset; only together with signer and signature. width is then one of a fixed list, which an error names, and at most W; height is derived when it is absent.',
  },
  signer: {
    purpose: 'The signer that has signed the URL. Its account pays: once per image and UTC day.',
  },
  expires: {
    purpose: 'When a signed URL stops working. Without it the URL works until its signer is revoked.',
  },
  signature: {
    purpose: 'The signature of a signed URL, over every parameter that decides the image.',
  },
  site: {
    purpose:
      'A site key, which may be published: it is bound to the origins of its pages and to a monthly cap. Stock images only.',
    appliesTo: 'stock',
  },
};
