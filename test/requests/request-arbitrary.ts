/** Use these arbitraries for valid requests, and for other spellings of the same request. */

import fc from 'fast-check';
import { stockSlots } from '../../lambda/contract/providers';
import { avoidables, styles, visibilities } from '../../lambda/contract/request-bounds';
import type { Filters, ImageRequest } from '../../lambda/requests/image-request';
import type { RequestTexts } from '../../lambda/requests/parse-request';

const letters = [...'aBz09éØñ山ق🌊%&=?#.<"ﬁｗ①', 'e\u0301', '\u{1F469}\u200D\u{1F680}'];

/** Words of one query, at most 12 × 6 letters before normalisation. */
export const wordList: fc.Arbitrary<string[]> = fc.array(
  fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 6 }),
  { minLength: 1, maxLength: 12 },
);

const side = fc.integer({ min: 100, max: 4000 });
const basics = {
  query: wordList.map((words) => words.join(' ').normalize('NFKC')),
  widthPx: side,
  heightPx: side,
  asJson: fc.boolean(),
};
/** Filters as the parser gives them: what is the default is absent. */
const filters: fc.Arbitrary<Filters> = fc.record(
  {
    avoid: fc.subarray([...avoidables], { minLength: 1 }),
    color: fc.constantFrom('blue', 'a0ff07'),
    license: fc.constantFrom('attribution-free', 'public-domain'),
    lang: fc.constantFrom('de', 'pt-br'),
    crop: fc.constantFrom('center', 'faces', 'top', 'bottom', 'left', 'right'),
    onmiss: fc.constant('ai'),
  },
  { requiredKeys: [] },
);
const stock = fc.record({
  ...basics,
  source: fc.constantFrom(...stockSlots),
  seed: fc.constantFrom('', '1', '2', 'Blue hour', '🌊'),
  filters,
});
const ai = fc
  .tuple(
    fc.record({
      ...basics,
      source: fc.constant('ai' as const),
      style: fc.constantFrom(...styles),
      visibility: fc.constantFrom(...visibilities),
    }),
    fc.option(fc.tuple(fc.constantFrom('variation', 'alt'), fc.integer({ min: 1, max: 10 }))),
  )
  .map(([request, choice]) => (choice ? { ...request, [choice[0]]: choice[1] } : request));

/** Any valid request, in the normal form that the parser gives. */
export const imageRequest: fc.Arbitrary<ImageRequest> = fc
  .tuple(fc.oneof(stock, ai), fc.boolean())
  .map(([request, isLabelled]) => (isLabelled ? { ...request, label: 'corner' } : request));

/** A request in the query form, every parameter written out. */
export function writeQueryForm(request: ImageRequest): RequestTexts {
  const { widthPx, heightPx, query } = request;
  return {
    query: {
      query: [query],
      width: [String(widthPx)],
      height: [String(heightPx)],
      ...listOtherParameters(request),
    },
  };
}

/** The same request in the path form, its words joined by one of the separators. */
export function writePathForm(request: ImageRequest, separator: string): RequestTexts {
  const { widthPx, heightPx, query } = request;
  const words = query.split(' ').map(encodeURIComponent).join(separator);
  const spec = `${widthPx}x${heightPx}${separator}${words}`;
  return { pathParameters: { spec }, query: listOtherParameters(request) };
}

function listOtherParameters(request: ImageRequest): RequestTexts['query'] {
  const { query: _q, widthPx: _w, heightPx: _h, asJson, source: provider, ...others } = request;
  const flat =
    'filters' in others
      ? { ...others, ...others.filters, provider, filters: undefined }
      : { ...others, provider };
  const presentParameters = Object.entries(flat).filter(([, value]) => value !== undefined);
  const named = presentParameters.map(([name, value]) => [name, [String(value)]] as const);
  return { ...Object.fromEntries(named), ...(asJson ? { format: ['json'] } : {}) };
}
