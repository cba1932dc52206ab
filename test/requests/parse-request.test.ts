/** Every accepted and every refused form of a request, row by row, with its error text. */

import { fingerprintOf, type ImageRequest, type StockRequest } from '../../lambda/requests/image-request';
import {
  type ParsedRequest,
  parseRequest,
  rawRequestOf,
  repetitionIn,
  sizeOf,
} from '../../lambda/requests/parse-request';
import { sizeBelow } from '../../lambda/requests/size-below';
import { rawRequest } from './raw-request';
import { rows } from './request-rows';

const parse = (form: string): ParsedRequest => parseRequest(rawRequest(form));

function requestOf(form: string): ImageRequest {
  const parsed = parse(form);
  if (parsed.outcome === 'refused') throw new Error(`${form} was refused: ${JSON.stringify(parsed.refusal)}`);
  return parsed.request;
}

function faultsOf(form: string) {
  const parsed = parse(form);
  if (parsed.outcome === 'valid' || !('faults' in parsed.refusal)) throw new Error(`${form} was accepted`);
  return parsed.refusal.faults;
}

const namesOf = (form: string) => faultsOf(form).map(({ parameter }) => parameter);
const short = (form: string) =>
  form.length > 90 ? `${form.slice(0, 80)}… (${form.length} characters)` : form;

describe('a request', () => {
  it('is described by a table without duplicates', () => {
    expect(rows.length).toBeGreaterThanOrEqual(130);
    expect(new Set(rows.map(([form]) => form)).size).toBe(rows.length);
  });

  it.each(
    rows
      .filter(([, expected]) => 'valid' in expected)
      .map(([form, expected]) => [short(form), form, expected]),
  )('is accepted as %s', (_, form, expected) => {
    const wanted = 'valid' in expected ? expected.valid : {};
    const request: Readonly<Record<string, unknown>> = { ...requestOf(form) };
    expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, request[name]]))).toEqual(wanted);
  });

  it.each(
    rows
      .filter(([, expected]) => 'refused' in expected)
      .map(([form, expected]) => [short(form), form, expected]),
  )('is refused as %s', (_, form, expected) => {
    const parsed = parse(form);
    if (parsed.outcome === 'valid' || !('faults' in parsed.refusal) || !('refused' in expected))
      throw new Error(`accepted: ${JSON.stringify(parsed)}`);
    expect(parsed.refusal.code).toBe(expected.refused);
    const faulty = parsed.refusal.faults.map(({ parameter }) => parameter);
    expect(faulty.toSorted()).toEqual(expected.faulty.toSorted());
  });
});

describe('broken text', () => {
  it.each(['sea\ud800', '\udc00sea', 'a\udbffb'])('with half a letter is refused: %j', (text) => {
    expect(parseRequest({ values: { query: [text] } }).outcome).toBe('refused');
    expect(parseRequest({ values: { query: ['sea'], seed: [text] } }).outcome).toBe('refused');
  });
});

describe('invisible characters', () => {
  it.each(['\u200b', '\ufeff \u2060', '-\u00ad_', '\u202e'])('are refused on their own: %j', (text) => {
    expect(parseRequest({ values: { query: [text] } })).toMatchObject({ outcome: 'refused' });
  });

  it.each(['می\u200cخواهم', '👩\u200d🌾', '\u200fשלום'])('may join visible ones: %j', (text) => {
    expect(parseRequest({ values: { query: [text] } })).toMatchObject({ outcome: 'valid' });
  });
});

describe('a fault', () => {
  it.each([
    [
      '?query=',
      'query',
      'required, 1 to 200 characters of valid UTF-8 without control characters, not only spaces, hyphens, underscores and invisible characters',
    ],
    ['?query=a&seed=%00', 'seed', 'at most 64 characters of valid UTF-8 without control characters'],
    ['?query=a&width=99', 'width', 'a whole number from 100 to 4000, in pixels'],
    ['?query=a&height=1e3', 'height', 'a whole number from 100 to 4000, in pixels'],
    ['?query=a&variation=0', 'variation', 'a whole number from 1 to 10'],
    ['?query=a&alt=11', 'alt', 'a whole number from 1 to 10'],
    ['?query=a&provider=x', 'provider', 'one of stock_a, stock_b, stock_c, ai'],
    ['?query=a&label=x', 'label', 'corner, or absent'],
    ['?query=a&style=x', 'style', 'one of photo, minimal, dark, illustration'],
    ['?query=a&visibility=x', 'visibility', 'one of private, public'],
    ['?query=a&width=100&width=100', 'width', 'must be given only once'],
    ['800x600-a?width=800', 'width', 'is already given in the path'],
    ['800X600-a', 'path', '{width}x{height}-{words}, for example 1920x1080-mountain-lake'],
    ['sea', 'path', '{width}x{height}-{words}, for example 1920x1080-mountain-lake'],
    ['800x600-%', 'path', 'percent-encoded UTF-8 without broken sequences'],
  ])('in %s names %s and its bounds', (form, parameter, bounds) => {
    expect(faultsOf(form)).toEqual([{ parameter, bounds }]);
  });

  it('in the combination of variation and alt names both', () => {
    expect(faultsOf('?query=a&variation=1&alt=1')).toEqual([
      { parameter: 'variation', bounds: 'cannot be combined with alt' },
      { parameter: 'alt', bounds: 'cannot be combined with variation' },
    ]);
  });

  it('never repeats what was sent', () => {
    const sent = 'zzqqzz';
    const all = ['width', 'height', 'provider', 'style', 'variation', 'alt', 'visibility', 'format']
      .map((name) => `${name}=${sent}`)
      .join('&');
    expect(JSON.stringify(parse(`?query=%00${sent}&${all}`))).not.toContain(sent);
    expect(JSON.stringify(parse(sent))).not.toContain(sent);
  });
});

describe('both forms of a request', () => {
  it.each([
    ['1920x1080-mountain-lake', '?query=mountain%20lake&width=1920&height=1080'],
    ['1080x1350-caf%C3%A9_terrace', '?query=caf%C3%A9+terrace&width=1080&height=1350'],
    ['100x100-a%2Fb?provider=ai&style=dark', '?width=100&height=100&query=a+b&style=dark&provider=ai'],
    ['100x100-a/b.jpg', '?width=100&height=100&query=a+b'],
  ])('are the same request: %s and %s', (path, query) => {
    expect(requestOf(path)).toEqual(requestOf(query));
    expect(fingerprintOf(requestOf(path))).toBe(fingerprintOf(requestOf(query)));
  });
});

describe('hyphens and underscores', () => {
  it.each(['mountain_lake', '-Mountain-LAKE-', 'mountain%20-_%20lake'])(
    'in the query make no other request: %s',
    (words) => {
      const other = fingerprintOf(requestOf(`?query=${words}`));
      expect(other).toBe(fingerprintOf(requestOf('?query=mountain+lake')));
    },
  );
});

describe('an extension', () => {
  it.each([
    ['800x600-sea.jpg', 'jpeg'],
    ['800x600-sea.JPEG', 'jpeg'],
    ['800x600-sea.webp', 'webp'],
    ['800x600-sea.avif', 'avif'],
    ['800x600-sea.png', undefined],
    ['800x600-sea', undefined],
  ])('of %s names the format %s and makes no other request', (form, extension) => {
    const parsed = parse(form);
    if (parsed.outcome === 'refused') throw new Error(JSON.stringify(parsed.refusal));
    expect(parsed.extension).toBe(extension);
    expect(fingerprintOf(parsed.request)).toBe(fingerprintOf(requestOf('800x600-sea')));
  });
});

it('takes the side that is absent from the other, in the ratio of the default', () => {
  const sizeFor = (form: string) => {
    const parsed = parseRequest(rawRequest(`?query=lake&${form}`));
    return parsed.outcome === 'valid' && [parsed.request.widthPx, parsed.request.heightPx];
  };
  expect(sizeFor('width=640')).toEqual([640, 360]);
  expect(sizeFor('height=450')).toEqual([800, 450]);
  expect(sizeFor('width=100')).toEqual([100, 100]);
  expect(sizeFor('height=4000')).toEqual([4000, 4000]);
  expect(sizeFor('width=99')).toBe(false);
  expect(sizeFor('')).toEqual([1920, 1080]);
});

describe('the size of a card', () => {
  it.each([
    ['?query=a', 1920, 1080],
    ['?width=300&height=200', 300, 200],
    ['?width=300', 300, 169],
    ['?height=300', 533, 300],
    ['?width=320&height=99', 320, 180],
    ['?width=1e3&height=180', 320, 180],
    ['?width=100&height=99', 100, 100],
    ['?width=99&height=4000', 4000, 4000],
    ['?width=99&height=99', 1920, 1080],
    ['?width=99', 1920, 1080],
    ['?width=300&width=400', 300, 169],
    ['640x480-', 640, 480],
    ['640x9-a', 640, 360],
    ['99x360-lake', 640, 360],
    ['640x-a', 640, 360],
    ['640x480-day/night', 640, 480],
    ['640x480-a?width=100', 640, 480],
    ['640X480-a', 640, 480],
    ['640×480-a', 640, 480],
    ['640X9-a', 640, 360],
    ['nonsense', 1920, 1080],
    ['640x480-%', 640, 480],
    ['640x480-%E3%81?width=300&height=200', 640, 480],
    ['640x9-%', 640, 360],
    ['%?width=300&height=200', 300, 200],
  ])('of %s is %d × %d', (form, widthPx, heightPx) => {
    expect(sizeOf(rawRequest(form))).toEqual({ widthPx, heightPx });
  });
});

describe('a pick', () => {
  it('needs no words, and leaves nothing but the size and the crop', () => {
    for (const words of ['', '&query='])
      expect(requestOf(`?pick=7f2c9b1e04d85a36c1f0&width=400&height=300${words}`)).toMatchObject({
        pick: '7f2c9b1e04d85a36c1f0',
        query: '',
      });
    const pick = requestOf(
      '?pick=7f2c9b1e04d85a36c1f0&query=lake&avoid=people&lang=de&crop=faces',
    ) as StockRequest;
    expect(pick).toMatchObject({ pick: '7f2c9b1e04d85a36c1f0', query: 'lake', filters: { crop: 'faces' } });
    expect(Object.keys(pick.filters)).toEqual(['crop']);
    expect('pick' in requestOf('?query=lake')).toBe(false);
  });

  it('without a value is refused by name, as words without a value are', () => {
    expect(namesOf('?pick=')).toContain('pick');
    expect(namesOf('?query=')).toEqual(['query']);
  });
});

test('a filter that is not stated is no part of the request, and neither is a placeholder or a label', () => {
  const plain = requestOf('?query=lake');
  expect(Object.keys(plain).sort()).toEqual(
    ['asJson', 'filters', 'heightPx', 'provider', 'query', 'seed', 'widthPx'].sort(),
  );
  expect('filters' in plain && plain.filters).toStrictEqual({});
  expect(requestOf('?query=lake&format=placeholder')).toMatchObject({ asPlaceholder: true, asJson: false });
  expect(requestOf('?query=lake&space=left&color=blue&lang=DE')).toMatchObject({
    filters: { space: 'left', color: 'blue', lang: 'de' },
  });
});

test('upto is for signed URLs alone, and decides the size there', () => {
  expect(namesOf('?query=lake&upto=800x600')).toEqual(['upto']);
  const signed = (form: string) => parseRequest(rawRequest(form), sizeBelow);
  expect(signed('?query=lake&upto=800x600&width=384')).toMatchObject({
    request: { widthPx: 384, heightPx: 288 },
  });
  expect(signed('?query=lake&upto=99x600')).toMatchObject({ refusal: { faults: [{ parameter: 'upto' }] } });
  expect(signed('?query=lake&width=320')).toMatchObject({ request: { widthPx: 320, heightPx: 180 } });
});

test.each<[string, string | undefined, readonly string[]]>([
  ['?query=lake&width=400', undefined, []],
  ['?query=lake&query=sea', 'invalid_parameter', ['query']],
  ['800x600-lake', undefined, []],
  ['800x600-lake?width=400', 'conflicting_parameters', ['width']],
  ['800x600-lake?width=400&width=500', 'invalid_parameter', ['width']],
])('what %s states twice is known before its signature is judged', (form, code, names) => {
  const repeated = repetitionIn(rawRequest(form));
  const refusal = repeated?.refusal;
  expect(refusal?.code).toBe(code);
  expect(refusal && 'faults' in refusal ? refusal.faults.map(({ parameter }) => parameter) : []).toEqual(
    names,
  );
});

test('what follows the first segment of a path belongs to it', () => {
  const query = { width: ['9'] };
  expect(rawRequestOf({ pathParameters: {}, query })).toEqual({ values: query });
  expect(rawRequestOf({ pathParameters: { spec: '800x600-day' }, query })).toEqual({
    values: query,
    segment: '800x600-day',
  });
  expect(rawRequestOf({ pathParameters: { spec: '800x600-day', rest: 'night' }, query }).segment).toBe(
    '800x600-day/night',
  );
});
