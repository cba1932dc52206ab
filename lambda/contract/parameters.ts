/** The parameters of an image request: their rules, and their texts for callers. */

import { signedParameters as signedNames } from '../../packages/client/src/service';
import { imageSources } from './providers';
import * as values from './request-bounds';

/** Normalises a text: NFKC, trimmed, inner white space collapsed to single spaces. */
const normalise = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

/** Characters that no text may contain, for a pattern: control characters and broken encoding. */
export const refusedCharacters = '\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\ufffd';

/** Characters that make no word, for a pattern: separators, and invisible ones such as soft hyphens. */
export const wordlessCharacters =
  '-_\\s\\ufe33\\ufe34\\ufe4d-\\ufe4f\\ufe63\\uff0d\\uff3f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff';

/** The texts about a parameter for documents, for models, and for its field in the playground. */
interface ParameterTexts {
  /** Code stands in backticks. */
  readonly purpose: string;
  /** The purpose in a few words, for models. */
  readonly hint?: string;
  readonly example?: string | number;
  readonly label?: string;
  /** Shown while the field is empty. */
  readonly emptyText?: string;
}

/** A parameter. Its rule is written by hand, because a library of schemas would slow every start. */
export interface Parameter<T, Default> extends ParameterTexts {
  /** Returns the value, or `undefined` for a text that is out of bounds. */
  readonly parse: (text: string) => T | undefined;
  /** The value of a parameter that is not given. */
  readonly defaultValue: Default;
  /** The JSON Schema (draft 2020-12) of the value. Text is checked after normalisation. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly bounds: string;
}

type ValueRule<T> = Pick<Parameter<T, never>, 'parse' | 'schema' | 'bounds'>;

const makeOptionalParameter = <T>(rule: ValueRule<T>, texts: ParameterTexts): Parameter<T, undefined> => ({
  ...rule,
  ...texts,
  defaultValue: undefined,
});

const makeParameterWithDefault = <T>(
  rule: ValueRule<T>,
  defaultValue: T,
  texts: ParameterTexts,
): Parameter<T, T> => ({
  ...rule,
  ...texts,
  defaultValue,
  schema: { default: defaultValue, ...rule.schema },
});

const makeNumberRule = (minimum: number, maximum: number, unit = ''): ValueRule<number> => ({
  parse: (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  },
  schema: { type: 'integer', minimum, maximum },
  bounds: `a whole number from ${minimum} to ${maximum}${unit}`,
});

const makeListRule = <T extends string>(
  accepted: readonly T[],
  bounds = `one of ${accepted.join(', ')}`,
): ValueRule<T> => ({
  parse: (text) => accepted.find((value) => value === text),
  schema: { type: 'string', enum: accepted },
  bounds,
});

const makePatternRule = (pattern: RegExp, bounds: string): ValueRule<string> => ({
  parse: (text) => (pattern.test(text) ? text : undefined),
  schema: { type: 'string', pattern: pattern.source },
  bounds,
});

const makeLowerCaseRule = (rule: ValueRule<string>): ValueRule<string> => ({
  ...rule,
  parse: (text) => rule.parse(text)?.toLowerCase(),
});

const makeTextRule = (bounds: string): ValueRule<string> => ({
  parse: (text) => text,
  schema: { type: 'string' },
  bounds,
});

/**
 * Makes the rule of a text of bounded length in code points, without control characters and broken encoding.
 * With `charactersMin` 1 it needs one character that makes a word. The published schema has the pattern, and
 * the lengths for people.
 */
const makeWordsRule = (charactersMin: 0 | 1, charactersMax: number): ValueRule<string> => {
  const [refused, wordless] = [refusedCharacters, wordlessCharacters];
  const pattern =
    charactersMin === 0
      ? `^[^${refused}]{0,${charactersMax}}$`
      : `^\\s*(?=[${wordless}]*[^${wordless}])[^\\s${refused}][^${refused}]{0,${charactersMax - 1}}$`;
  const { parse, schema } = makePatternRule(new RegExp(pattern, 'u'), '');
  return {
    parse: (text) => {
      const normal = normalise(text);
      return normal.isWellFormed() ? parse(normal) : undefined;
    },
    schema: { ...schema, ...(charactersMin > 0 && { minLength: charactersMin }), maxLength: charactersMax },
    // Decoders write U+FFFD in place of bytes that are not UTF-8.
    bounds: `${charactersMin === 0 ? 'at most' : 'required, 1 to'} ${charactersMax} characters of valid UTF-8 without control characters`,
  };
};

const { min, max, defaultWidth, defaultHeight } = values.sidePx;

/** The pattern of a side in pixels. It agrees with `sidePx`; tests compare both. */
export const sidePattern = '(?:[1-9]\\d{2}|[1-3]\\d{3}|4000)';

const side = makeNumberRule(min, max, ', in pixels');
const variationOrAlt = makeNumberRule(values.variationBounds.min, values.variationBounds.max);
const query = makeWordsRule(1, values.queryCharactersMax);
const avoidable = values.avoidables.join('|');
const avoided = makePatternRule(
  new RegExp(`^(${avoidable})(,(${avoidable}))*$`),
  `${values.avoidables.join(', ')}, or both with a comma between them`,
);
const color = makePatternRule(
  new RegExp(`^(${values.colorNames.join('|')}|[0-9A-Fa-f]{6})$`),
  `one of ${values.colorNames.join(', ')}, or RRGGBB as six hexadecimal digits`,
);
const pick = makePatternRule(
  values.pickPattern,
  '20 lower-case hexadecimal digits, as in the record of an image',
);
const publish = makePatternRule(
  /^(true|false|sg_.+|site_.+)$/,
  'true, false, the id of a signer, or a site key',
);
const upto = makePatternRule(
  new RegExp(`^${sidePattern}x${sidePattern}$`),
  `WxH in a signed URL, each from ${min} to ${max}, in pixels`,
);

/** All parameters. Unknown ones have no effect, because people add cache-busters to image tags. */
export const parameters = {
  /** Required, except beside `pick`. */
  query: {
    ...makeOptionalParameter(query, {
      purpose: 'What the image should show, in a few words of any language.',
      hint: 'Two or three common words',
      example: 'mountain lake',
    }),
    defaultValue: '',
    bounds: `${query.bounds}, not only spaces, hyphens, underscores and invisible characters`,
  },
  provider: makeParameterWithDefault(makeListRule(imageSources), 'stock_a', {
    purpose: 'Source of the image: a stock slot, or AI, which needs a key.',
  }),
  width: makeParameterWithDefault(side, defaultWidth, {
    purpose:
      'Width in pixels; the image is cropped to exactly this size. If only one side is given, the other follows from 16:9, within its bounds.',
    example: 1200,
  }),
  height: makeParameterWithDefault(side, defaultHeight, { purpose: 'Height in pixels.', example: 800 }),
  style: makeParameterWithDefault(makeListRule(values.styles), 'photo', { purpose: 'Style of an AI image.' }),
  variation: makeOptionalParameter(variationOrAlt, {
    purpose:
      'Another version of an AI image, always the same for its number. Free if the image without `variation` exists in this aspect ratio, style and visibility.',
  }),
  alt: makeOptionalParameter(variationOrAlt, {
    purpose:
      'A public AI image for the same query and style, first of other accounts. Free if there is one. Not with `variation`.',
    label: 'Alternative',
  }),
  visibility: makeParameterWithDefault(makeListRule(values.visibilities), 'private', {
    purpose: 'Whether a new AI image is private to your account, or open to others through `alt`.',
  }),
  seed: makeParameterWithDefault(makeWordsRule(0, values.seedCharactersMax), '', {
    purpose: `Which stock image: from \`1\`, the best, to \`${values.choiceImagesMax}\`; any other text selects one, always the same. A seed means the same image at every size of one orientation. With fewer images, counting starts over, and \`X-Image-Note\` says so.`,
    hint: `2 to ${values.choiceImagesMax}: nth match`,
    example: '2',
    emptyText: `2 to ${values.choiceImagesMax}: the next best`,
  }),
  avoid: makeOptionalParameter(avoided, {
    purpose: 'What the stock image should not show, as far as title, description and tags say.',
    hint: 'people, text or people,text',
    example: 'people',
    emptyText: 'nothing',
  }),
  color: makeOptionalParameter(makeLowerCaseRule(color), {
    purpose: 'Main colour of the stock image, by the search of the provider or the words of the image.',
    hint: 'Name or RRGGBB',
    example: 'blue',
    emptyText: 'any',
  }),
  license: makeParameterWithDefault(makeListRule(values.listedValues.license), 'any', {
    purpose:
      'What the licence of the stock image must allow. `attribution-free`: use without a credit. `public-domain`: any use. Sources without such an image are skipped.',
    example: 'attribution-free',
  }),
  lang: makeOptionalParameter(
    makeLowerCaseRule(makePatternRule(values.languageTag, 'a BCP 47 tag, such as pt-BR')),
    {
      purpose:
        'Language of `query`, else recognised from the words. For providers that cannot search in it, common nouns are translated into English.',
      hint: 'Language of the query',
      example: 'pt-BR',
    },
  ),
  crop: makeParameterWithDefault(makeListRule(values.listedValues.crop), 'attention', {
    purpose:
      'Which part of a stock image of another ratio is kept. `attention`: what draws the eye; of Unsplash the part with the most detail, of Pexels the middle. `faces`: faces if the provider detects them, else as `attention`.',
  }),
  onmiss: makeOptionalParameter(makeListRule(values.onMisses, 'ai, or absent'), {
    purpose:
      '`ai` makes an image when no stock image fits better than `loose` (see `X-Image-Fit`). Needs a key, and counts as a private AI image; the stock search is then free.',
    label: 'Without a match',
    emptyText: 'the best stock image',
  }),
  label: makeOptionalParameter(makeListRule(values.listedValues.label, 'corner, or absent'), {
    purpose:
      '`corner` draws a small mark, “AI”, into the lower right corner of an AI image. The operator may require it.',
  }),
  pick: makeOptionalParameter(pick, {
    purpose:
      'Shows the image with this id, from a record; needs no `query`. An AI image is shown to its own account only.',
    hint: 'Of a record',
    example: '7f2c9b1e04d85a36c1f0',
  }),
  format: makeOptionalParameter(makeListRule(['json'], 'json, or absent for the redirect'), {
    purpose: '`json` returns the record with status 200. Browser scripts cannot read a redirect.',
  }),
  publish: makeOptionalParameter(publish, {
    purpose:
      'What signs the URLs of a record, with an API key: by default (`true`) the newest signer of the account.',
  }),
  api_key: makeOptionalParameter(makeTextRule('a key that begins with pk_live_ or pk_test_'), {
    purpose: 'The API key, for callers that cannot send headers. Secret: never put it into a page.',
  }),
  upto: makeOptionalParameter(upto, {
    purpose:
      'Largest size, such as 1920x1080, signed in place of `width` and `height` for a srcset. `width` is then one of a fixed list, which an error names, and at most W; without `height`, it follows.',
  }),
  signer: makeOptionalParameter(makeTextRule('the id of a signer, which begins with sg_live_ or sg_test_'), {
    purpose: 'The signer of the URL. Its account pays once per image and UTC day.',
  }),
  expires: makeOptionalParameter(makePatternRule(/^\d{1,12}$/, 'Unix seconds, as 1 to 12 decimal digits'), {
    purpose: 'When a signed URL ends. Without it, the URL ends when its signer is revoked.',
  }),
  signature: makeOptionalParameter(makeTextRule('22 characters of base64url'), {
    purpose: 'The signature of a URL, over every parameter that decides the image.',
  }),
  site: makeOptionalParameter(makeTextRule('a key that begins with site_live_ or site_test_'), {
    purpose:
      'A site key. It may be published: it is bound to its origins and a monthly cap. Stock images only.',
  }),
} as const satisfies Readonly<Record<string, Parameter<string | number, unknown>>>;

export type ParameterName = keyof typeof parameters;
/** All parameters in the order of the documents. */
export const parameterNames = Object.keys(parameters) as readonly ParameterName[];

/** The value of each parameter after it is parsed. A parameter that is not given has its default. */
export type ParameterValues = {
  readonly [N in ParameterName]:
    | Exclude<ReturnType<(typeof parameters)[N]['parse']>, undefined>
    | (typeof parameters)[N]['defaultValue'];
};

export const credentialParameters: readonly ParameterName[] = [
  'api_key',
  'signer',
  'expires',
  'signature',
  'site',
];

/** The parameters that a signature covers, in the order of `parameterNames`. */
export const signedParameters = parameterNames.filter((name) => signedNames.includes(name));

/** The parameters of an image in a batch and in tools of MCP. They are sent without a URL. */
export const imageParameters: readonly ParameterName[] = signedParameters.filter((name) => name !== 'upto');

/** The parameters in the path form. The query cannot give them again. */
export const pathFormParameters: readonly ParameterName[] = ['query', 'width', 'height'];

/** The parameters that a permalink takes. No other could change its image. */
export const permalinkParameters = [
  'width',
  'height',
  'label',
  'format',
  'publish',
  'api_key',
] as const satisfies readonly ParameterName[];

/** The parameters that have an effect only on stock images, and only on AI images. */
export const parametersBySource: Readonly<Record<'stock' | 'ai', readonly ParameterName[]>> = {
  stock: ['seed', 'avoid', 'color', 'license', 'lang', 'crop', 'onmiss', 'site'],
  ai: ['style', 'variation', 'alt', 'visibility', 'label'],
};
