/** What the contract says of each parameter is what it does to a request. */

import {
  imageParameters,
  type ParameterName,
  parameterNames,
  parameters,
  parametersBySource,
  parameterTexts,
  pathFormParameters,
} from '../../lambda/contract/parameters';
import { fingerprintOf } from '../../lambda/requests/image-request';
import {
  parseRequest as parse,
  type RequestTexts,
  readParameters,
} from '../../lambda/requests/parse-request';

/** As the function `api` parses a URL, signed where it has `upto`. */
const parseRequest = (raw: RequestTexts) => parse(readParameters(raw), true);

/** Two values of each parameter that mean different requests. */
const values: Readonly<Record<ParameterName, readonly [string | undefined, string | undefined]>> = {
  query: ['lake', 'harbour'],
  provider: ['stock_a', 'stock_b'],
  width: ['400', '500'],
  height: ['400', '500'],
  style: ['photo', 'dark'],
  variation: [undefined, '2'],
  alt: [undefined, '2'],
  visibility: ['private', 'public'],
  seed: ['one', 'two'],
  avoid: [undefined, 'people,text'],
  color: ['blue', '0a0b0c'],
  license: ['any', 'public-domain'],
  lang: [undefined, 'pt-BR'],
  crop: ['attention', 'top'],
  onmiss: [undefined, 'ai'],
  label: [undefined, 'corner'],
  pick: [undefined, '0123456789abcdef0123'],
  format: [undefined, 'json'],
  publish: [undefined, 'false'],
  api_key: [undefined, `pk_live_${'0'.repeat(32)}`],
  upto: [undefined, '1920x1080'],
  signer: [undefined, 'sg_live_0123456789ab'],
  expires: [undefined, '1798761600'],
  signature: [undefined, 'Lm4yt1J9_1StMVe7zvLLWA'],
  site: [undefined, `site_live_${'0'.repeat(38)}`],
};

/** The parameters beside one that means nothing on its own. */
const beside: Readonly<Partial<Record<ParameterName, Readonly<Record<string, string>>>>> = {
  upto: { signer: 'sg_live_0123456789ab', width: '480', height: '270' },
};

/** Whether two values of a parameter make two identities of a request for a source. */
function decides(name: ParameterName, source: 'stock_a' | 'ai'): boolean {
  const identities = values[name].map((value) => {
    const given = { query: 'lake', provider: source, ...beside[name], [name]: value };
    const parsed = parseRequest({
      query: Object.fromEntries(
        Object.entries(given).flatMap(([key, text]) => (text === undefined ? [] : [[key, [text]]])),
      ),
    });
    if ('refusal' in parsed) throw new Error(JSON.stringify(parsed));
    return fingerprintOf(parsed.request);
  });
  return new Set(identities).size === 2;
}

test.each(parameterNames)(
  'the parameter %s decides the image exactly where its description says so',
  (name) => {
    // A label is drawn into one rendition of an image, as a size is.
    const decidesImage = imageParameters.includes(name) && name !== 'label';
    expect({ stock: decides(name, 'stock_a'), ai: decides(name, 'ai') }).toEqual({
      stock: decidesImage && !parametersBySource.ai.includes(name),
      ai: decidesImage && !parametersBySource.stock.includes(name),
    });
  },
);

test.each(parameterNames)('the parameter %s accepts its own example', (name) => {
  const { purpose, example } = parameterTexts[name];
  expect(purpose).toMatch(/^[`\w].+\.$/s);
  expect(parameters[name].bounds).not.toBe('');
  if (example === undefined) return;
  const given = Object.entries({ query: 'lake', ...beside[name], [name]: String(example) });
  const parsed = parseRequest({ query: Object.fromEntries(given.map(([key, value]) => [key, [value]])) });
  expect(parsed).toHaveProperty('request');
});

test.each(pathFormParameters)(
  'the parameter %s cannot be given beside the path form, which holds it',
  (name) => {
    const parsed = parseRequest({
      pathParameters: { spec: '400x300-lake' },
      query: { [name]: [values[name][0] ?? ''] },
    });
    expect(parsed).toMatchObject({
      refusal: { code: 'conflicting_parameters', faults: [{ parameter: name }] },
    });
  },
);
