/** The parser accepts or refuses each form of a request, with the text of the error. */

import { computeFingerprint, type StockRequest } from '../../lambda/requests/image-request';
import { parsePermalinkParameters, readRequestedSize } from '../../lambda/requests/parse-request';
import { makeRawRequest, parseImageRequest, parseRaw } from './raw-request';
import { rows } from './request-rows';

const parse = (form: string) => parseRaw(makeRawRequest(form));
const parseValid = (form: string) => parseImageRequest(makeRawRequest(form));

function getRefusal(form: string) {
  const parsed = parse(form);
  if ('request' in parsed) throw new Error(`${form} was accepted`);
  return parsed.refusal;
}

const listFaults = (form: string) => getRefusal(form).faults;
const listNames = (form: string) => listFaults(form).map(({ parameter }) => parameter);
const shorten = (form: string) =>
  form.length > 90 ? `${form.slice(0, 80)}… (${form.length} characters)` : form;
const namedRows = rows.map(([form, expected]) => ({ name: shorten(form), form, expected }));

describe('parseRequest', () => {
  test.each(
    namedRows.flatMap(({ name, form, expected }) =>
      'valid' in expected ? [[name, form, expected.valid] as const] : [],
    ),
  )('the request %s is accepted', (_, form, values) => {
    const request: Readonly<Record<string, unknown>> = { ...parseValid(form) };
    expect(Object.fromEntries(Object.keys(values).map((name) => [name, request[name]]))).toEqual(values);
  });

  test.each(
    namedRows.flatMap(({ name, form, expected }) =>
      'refused' in expected ? [[name, form, expected] as const] : [],
    ),
  )('the request %s is refused', (_, form, { refused, faulty }) => {
    expect(getRefusal(form).code).toBe(refused);
    expect(listNames(form).toSorted()).toEqual(faulty.toSorted());
  });
});

describe('parseRequest with words', () => {
  test.each(['sea\ud800', '\udc00sea', 'a\udbffb'])(
    'words with half a surrogate pair are refused: %j',
    (text) => {
      expect(parseRaw({ query: { query: [text] } })).toHaveProperty('refusal');
      expect(parseRaw({ query: { query: ['sea'], seed: [text] } })).toHaveProperty('refusal');
    },
  );

  test.each(['\u200b', '\ufeff \u2060', '-\u00ad_', '\u202e'])(
    'words without a visible character are refused: %j',
    (text) => expect(parseRaw({ query: { query: [text] } })).toHaveProperty('refusal'),
  );

  test.each(['می\u200cخواهم', '👩\u200d🌾', '\u200fשלום'])(
    'words may contain invisible characters: %j',
    (text) => expect(parseRaw({ query: { query: [text] } })).toHaveProperty('request'),
  );
});

describe('the faults of parseRequest', () => {
  test.each([
    [
      '?query=',
      'query',
      'required, 1 to 200 characters of valid UTF-8 without control characters, not only spaces, hyphens, underscores and invisible characters',
      'empty',
    ],
    [
      '?query=a&seed=%00',
      'seed',
      'at most 64 characters of valid UTF-8 without control characters',
      'only characters that cannot be shown',
    ],
    ['?query=a&width=abc', 'width', 'a whole number from 100 to 4000, in pixels', 'abc'],
    ['?query=a&height=100%20', 'height', 'a whole number from 100 to 4000, in pixels', '100 '],
    ['?query=a&variation=0', 'variation', 'a whole number from 1 to 10', '0'],
    ['?query=a&alt=A+calm+lake', 'alt', 'a whole number from 1 to 10', 'A calm lake'],
    ['?query=a&provider=x', 'provider', 'one of stock_a, stock_b, stock_c, ai', 'x'],
    ['?query=a&label=x', 'label', 'corner, or absent', 'x'],
    ['?query=a&style=x', 'style', 'one of photo, minimal, dark, illustration', 'x'],
    ['?query=a&visibility=x', 'visibility', 'one of private, public', 'x'],
    ['?query=a&width=100&w=200', 'width', 'must be given only once; w is another name of it', '100, 200'],
    ['?query=a&seed=1&seed=2', 'seed', 'must be given only once', '1, 2'],
    ['800x600-a?width=900', 'width', 'is already given in the path', '900'],
    ['800X600-a', 'path', '{width}x{height}-{words}, for example 1920x1080-mountain-lake', '800X600-a'],
    ['caf%C3%A9', 'path', '{width}x{height}-{words}, for example 1920x1080-mountain-lake', 'café'],
    ['800x600-%', 'path', 'percent-encoded UTF-8 without broken sequences', '800x600-\ufffd'],
  ])('%s is refused by naming %s, its bounds and what was received', (form, parameter, bounds, received) => {
    expect(listFaults(form)).toEqual([{ parameter, bounds, received }]);
  });

  test('if variation and alt are combined, a fault names each', () => {
    expect(listFaults('?query=a&variation=1&alt=2')).toEqual([
      { parameter: 'variation', bounds: 'cannot be combined with alt', received: '1' },
      { parameter: 'alt', bounds: 'cannot be combined with variation', received: '2' },
    ]);
  });

  test('a side in path and query is a fault of each place', () => {
    expect(listFaults('99x600-sea?width=800').map(({ received }) => received)).toEqual(['99', '800']);
  });

  test('the fault of missing words has no `received`', () =>
    expect(listFaults('?size=3')).toEqual([{ parameter: 'query', bounds: expect.anything() }]));

  test('a fault never repeats a credential', () => {
    const key = 'pk_live_4eC39HqLyjWDarjtT1zdp7dcABCDEF';
    const parameters = [
      'width',
      'provider',
      'seed=%00',
      'upto',
      'pick',
      'publish',
      'signature',
      'site',
      'api_key',
    ];
    const secretQuery = parameters.map((name) => `${name}${name.includes('=') ? '' : '='}${key}`).join('&');
    expect(JSON.stringify(parse(`?query=%00${key}&${secretQuery}&site=b&signature=c`))).not.toContain(
      '4eC39',
    );
    expect(JSON.stringify(parse(`${key}-lake`))).not.toContain('4eC39');
  });
});

describe('the nearest valid URL of parseRequest', () => {
  test.each([
    ['?query=mountain+lake&width=64&height=64', '/api/image?query=mountain%20lake&width=100&height=100'],
    ['?q=lake&w=60&h=40&v=3', '/api/image?query=lake&width=150&height=100'],
    ['?query=lake&width=64', '/api/image?query=lake&width=100'],
    ['?query=lake&width=5000&height=2500', '/api/image?query=lake&width=4000&height=2000'],
    [
      '?query=lake&height=99&provider=ai&style=dark',
      '/api/image?query=lake&provider=ai&height=100&style=dark',
    ],
    ['60x40-caf%C3%A9_terrace.webp?seed=2', '/api/image/150x100-caf%C3%A9_terrace.webp?seed=2'],
    ['/%35000%782%3500-sea', '/api/image/4000x2000-sea'],
    ['?query=lake&width=64&height=64&api_key=pk_live_x&site=y', '/api/image?query=lake&width=100&height=100'],
  ])('the nearest valid request of %s is %s', (form, nearest) => {
    expect(getRefusal(form)).toMatchObject({ nearest });
    expect(parse(nearest.replace(/^\/api\/image\/?/, ''))).toHaveProperty('request');
  });

  test.each([
    '?query=lake&width=64&seed=%00',
    '?query=lake&width=1e3',
    '?width=64',
    '?query=a&width=64&width=64',
    '64x64-a?width=64',
    '0x64-a',
    '64x64-pk%5Flive_4eC39HqLyjWDarjtT1zdp7dc',
    '?query=lake&width=64&seed=pk_live_4eC39HqLyjWDarjtT1zdp7dc',
    '?query=lake&width=64&format=json&publish=site_live_4eC39HqLyjWDarjtT1zdp7dc',
  ])('no nearest request is offered for a secret or a fault beside the size: %s', (form) =>
    expect(getRefusal(form)).not.toHaveProperty('nearest'),
  );

  test('no nearest request is offered for a signed URL', () => {
    const parsed = parseRaw(makeRawRequest('?query=lake&width=64&height=64'), true);
    expect(parsed).toMatchObject({ refusal: { code: 'invalid_parameter' } });
    expect(parsed).not.toHaveProperty('refusal.nearest');
  });
});

describe('parseRequest with an extension', () => {
  test.each([
    ['800x600-sea.jpg', 'jpeg'],
    ['800x600-sea.JPEG', 'jpeg'],
    ['800x600-sea.webp', 'webp'],
    ['800x600-sea.avif', 'avif'],
    ['800x600-sea.png', undefined],
    ['800x600-sea', undefined],
  ])('%s has the format %s and the fingerprint without extension', (form, extension) => {
    const parsed = parse(form);
    expect('extension' in parsed ? parsed.extension : undefined).toBe(extension);
    expect(computeFingerprint(parseValid(form))).toBe(computeFingerprint(parseValid('800x600-sea')));
  });
});

test.each([
  ['width=640', 640, 360],
  ['height=450', 800, 450],
  ['width=100', 100, 100],
  ['height=4000', 4000, 4000],
  ['', 1920, 1080],
])(
  'a side that is absent follows from the other, in the ratio of the default: %s',
  (form, widthPx, heightPx) => expect(parseValid(`?query=lake&${form}`)).toMatchObject({ widthPx, heightPx }),
);

describe('readRequestedSize', () => {
  test.each([
    ['?query=a', 1920, 1080],
    ['?width=300&height=200', 300, 200],
    ['?width=300', 300, 169],
    ['?width=320&height=99', 323, 100],
    ['?width=60&height=40', 150, 100],
    ['?width=40&height=60', 100, 150],
    ['?width=1e3&height=180', 320, 180],
    ['?width=8000&height=2000', 4000, 1000],
    ['?width=99&height=99', 100, 100],
    ['?width=0&height=0', 1920, 1080],
    ['?width=300&width=400', 300, 169],
    ['?upto=800x800&width=384', 384, 384],
    ['?upto=800x800', 800, 800],
    ['?upto=800&width=384', 384, 216],
    ['640x480-', 640, 480],
    ['640x90-a', 711, 100],
    ['640x9-a', 4000, 100],
    ['99x360-lake', 100, 364],
    ['640x-a', 640, 360],
    ['640x480-a?width=100', 640, 480],
    ['640X480-a', 640, 480],
    ['nonsense', 1920, 1080],
    ['640x480-%', 640, 480],
    ['640x480-%E3%81?width=300&height=200', 640, 480],
    ['%?width=300&height=200', 300, 200],
  ])('the card for %s is %d × %d', (form, widthPx, heightPx) => {
    expect(readRequestedSize(makeRawRequest(form))).toEqual({ widthPx, heightPx });
  });
});

describe('parseRequest with a pick', () => {
  test('a request by pick keeps only the size and the crop', () => {
    for (const words of ['', '&query='])
      expect(parseValid(`?pick=7f2c9b1e04d85a36c1f0&width=400&height=300${words}`)).toMatchObject({
        pick: '7f2c9b1e04d85a36c1f0',
        query: '',
      });
    const pick = parseValid(
      '?pick=7f2c9b1e04d85a36c1f0&query=lake&avoid=people&lang=de&crop=faces',
    ) as StockRequest;
    expect(pick).toMatchObject({ pick: '7f2c9b1e04d85a36c1f0', query: 'lake', filters: { crop: 'faces' } });
    expect(Object.keys(pick.filters)).toEqual(['crop']);
    expect('pick' in parseValid('?query=lake')).toBe(false);
  });

  test('an empty pick is refused by its name, like empty words', () => {
    expect(listNames('?pick=')).toContain('pick');
    expect(listNames('?query=')).toEqual(['query']);
  });
});

test('a request has only the filters and the label that are stated', () => {
  const plain = parseValid('?query=lake');
  expect(Object.keys(plain).sort()).toEqual(
    ['asJson', 'filters', 'heightPx', 'query', 'seed', 'source', 'widthPx'].sort(),
  );
  expect('filters' in plain && plain.filters).toStrictEqual({});
  expect(parseValid('?query=lake&color=blue&lang=DE')).toMatchObject({
    filters: { color: 'blue', lang: 'de' },
  });
});

test('upto sets the size only in signed URLs', () => {
  expect(listNames('?query=lake&upto=800x600')).toEqual(['upto']);
  const parseSigned = (form: string) => parseRaw(makeRawRequest(form), true);
  expect(parseSigned('?query=lake&upto=800x600&width=384')).toMatchObject({
    request: { widthPx: 384, heightPx: 288 },
  });
  expect(parseSigned('?query=lake&upto=99x600')).toMatchObject({
    refusal: { faults: [{ parameter: 'upto' }] },
  });
  expect(parseSigned('?query=lake&width=320')).toMatchObject({ request: { widthPx: 320, heightPx: 180 } });
});

test.each<[string, object]>([
  ['', { size: {}, asJson: false }],
  ['width=400', { size: { widthPx: 400 } }],
  ['height=300', { size: { heightPx: 300 } }],
  ['width=400&height=300', { size: { widthPx: 400, heightPx: 300 } }],
  ['label=corner', { size: { label: 'corner' } }],
  ['format=json', { asJson: true }],
  ['query=sea&query=lake&provider=none&seed=x', { size: {} }],
])('the parameters "%s" of a permalink are read', (form, expected) => {
  expect(parsePermalinkParameters(makeRawRequest(`?${form}`))).toMatchObject(expected);
});
