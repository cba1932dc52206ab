/** The published schema of each parameter and the parser accept the same values. */

import fc from 'fast-check';
import { imageParameters, type ParameterName, parameterNames } from '../../lambda/contract/parameters';
import { routes } from '../../lambda/contract/routes';
import { parseBatch } from '../../lambda/pages/parse-batch';
import { parseRequest } from '../../lambda/requests/parse-request';
import { codePoint } from '../fakes/code-point';
import { operationAt, validatorOf } from './operations';

/** Whether the parser accepts a parameter's text, next to a valid query. */
const parses = (name: ParameterName, text: string): boolean =>
  'request' in parseRequest({ query: { query: ['lake'], [name]: [text] } });

/** Text in its normalised form, to which the bounds apply. */
const normalise = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

const anyText = (maxLength: number) =>
  fc.oneof(
    fc.string({ maxLength }),
    fc.string({ unit: 'grapheme', maxLength }),
    fc.string({ unit: codePoint, maxLength }),
    fc.string({
      unit: fc.constantFrom(' ', '\t', '\u00a0', 'a', '\u0000', '\u0085', '\ufffd', 'ﷺ', '😀'),
      maxLength,
    }),
    fc
      .tuple(fc.constantFrom('a', '😀', ' '), fc.integer({ min: 0, max: maxLength }))
      .map(([unit, n]) => unit.repeat(n)),
  );

describe('the published parameters', () => {
  it('are all that the parser knows, in the query form; the key is a security scheme', () => {
    const names = operationAt(routes.image, 'get').parameters.map(({ name }) => name);
    expect([...names, 'api_key'].sort()).toEqual([...parameterNames].sort());
  });

  it('need words alone', () => {
    const required = operationAt(routes.image, 'get').parameters.filter((each) => each.required);
    expect(required.map(({ name }) => name)).toEqual(['query']);
  });

  it.each([
    ['query', 210],
    ['seed', 70],
  ] as const)('accept the same texts for %s, once normalised', (name, longest) => {
    const accepts = validatorOf('parameters', name);
    fc.assert(
      fc.property(anyText(longest), (text) => {
        expect([text, accepts(normalise(text))]).toEqual([text, parses(name, text)]);
      }),
      { numRuns: 600 },
    );
  });

  it.each([
    ['query', 200, 1],
    ['seed', 64, 0],
  ] as const)('accept %s of exactly the longest and shortest length', (name, max, min) => {
    const accepts = validatorOf('parameters', name);
    for (const unit of ['a', '😀']) {
      for (const length of [min, max])
        expect(accepts(unit.repeat(length)) && parses(name, unit.repeat(length))).toBe(true);
      expect(accepts(unit.repeat(max + 1)) || parses(name, unit.repeat(max + 1))).toBe(false);
    }
  });

  it.each(['width', 'height', 'variation', 'alt'] as const)('accept the same numbers for %s', (name) => {
    const accepts = validatorOf('parameters', name);
    const number = fc.oneof(
      fc.integer({ min: -20, max: 20 }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.double(),
      fc.constantFrom(99, 100, 4_000, 4_001, 1e21, 100.5, -100),
    );
    fc.assert(
      fc.property(number, (value) => {
        expect([value, accepts(value)]).toEqual([value, parses(name, String(value))]);
      }),
      { numRuns: 400 },
    );
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('+100', ' 100', '1e3', '0x64', '1_0', '', '１００', '5.0'),
    );
    fc.assert(
      fc.property(text, (digits) => {
        const isAccepted = /^\d+$/.test(digits) && accepts(Number(digits));
        expect([digits, isAccepted]).toEqual([digits, parses(name, digits)]);
      }),
    );
  });

  it.each(['provider', 'style', 'visibility', 'format'] as const)(
    'accept the same choices for %s',
    (name) => {
      const accepts = validatorOf('parameters', name);
      const choice = fc.oneof(
        fc.string(),
        fc.constantFrom(
          'ai',
          'AI',
          'stock_a',
          'stock_d',
          'photo',
          'dark',
          'private',
          'public',
          'json',
          ' json',
          '',
        ),
      );
      fc.assert(
        fc.property(choice, (value) => expect([value, accepts(value)]).toEqual([value, parses(name, value)])),
      );
    },
  );

  it('have no example that is refused when it is sent by itself', () => {
    const withExample = operationAt(routes.image, 'get').parameters.filter(({ example }) => example);
    expect(withExample.map(({ name }) => name)).toContain('query');
    for (const { name, example } of withExample)
      expect([name, parses(name as ParameterName, String(example))]).toEqual([name, true]);
  });

  it('accept no path form that the parser refuses', () => {
    const accepts = validatorOf('parameters', 'spec');
    // Mostly within the bounds, so that far more than 50 of the 600 are accepted whatever the seed.
    const side = fc.oneof(
      { weight: 7, arbitrary: fc.integer({ min: 100, max: 4_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
    );
    const segment = fc
      .tuple(
        side,
        side,
        fc.constantFrom('-', '_', '+', ' ', '--'),
        anyText(40),
        fc.constantFrom('', '.jpg', '.jpeg', '.WebP', '.avif', '.png', '.gif', '.SVG', '.tgz', '.'),
      )
      .map(([width, height, between, words, end]) => `${width}x${height}${between}${words}${end}`);
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(segment, fc.string()), (text) => {
        if (!accepts(text)) return;
        taken++;
        const encoded = text.isWellFormed() ? encodeURIComponent(text) : text;
        expect(parseRequest({ pathParameters: { spec: encoded }, query: {} })).toHaveProperty('request');
      }),
      { numRuns: 600 },
    );
    expect(taken).toBeGreaterThan(50);
    const parsesPath = (text: string) =>
      'request' in parseRequest({ pathParameters: { spec: encodeURIComponent(text) }, query: {} });
    const fitting = ['1920x1080-mountain-lake', '100x4000_a', '4000x100+日本', '100x100-a.jpg'];
    for (const text of [...fitting, '100x100-.jpg.jpg', '100x100-.tgz', '100x100-jpg'])
      expect([text, accepts(text), parsesPath(text)]).toEqual([text, true, true]);
    const unfitting = [
      '99x100-a',
      '4001x100-a',
      '100x100',
      '100x100-',
      '100X100-a',
      '100x100-\ufe4d',
      '100x100-\u00ad',
    ];
    for (const text of [...unfitting, '100x100-.jpg', '100x100--.JPEG', '100x100 .webp', '100x100.png'])
      expect([text, accepts(text), parsesPath(text)]).toEqual([text, false, false]);
  });
});

describe('the published image of a batch', () => {
  const accepts = validatorOf('schemas', 'BatchImage');
  const isTaken = (image: object) => parseBatch({ images: [image] }).outcome === 'valid';
  const edges = [99, 100, 4_000, 4_001, 0, 1, 10, 11, 1.5].flatMap((n) => [n, String(n)]);
  const words = [
    'ai',
    'stock_a',
    'dark',
    'public',
    'people,text',
    'blue',
    '00ff00',
    'any',
    'faces',
    'x',
    '',
    null,
    [],
    {},
  ];

  it.each(imageParameters.filter((name) => name !== 'query'))('bounds %s as the service does', (name) => {
    for (const value of [...edges, ...words]) {
      const image = { slot: 'a', query: 'lake', [name]: value };
      // The service also takes numbers for texts, which the document does not promise.
      if (
        typeof value === 'number' &&
        name !== 'width' &&
        name !== 'height' &&
        !/^(variation|alt|seed)$/.test(name)
      )
        continue;
      expect([value, accepts(image)]).toEqual([value, isTaken(image)]);
    }
  });

  it('needs a query of words, or a pick', () => {
    const pick = '7f2c9b1e04d85a36c1f0';
    expect([accepts({ slot: 'a', pick }), isTaken({ slot: 'a', pick })]).toEqual([true, true]);
    for (const query of ['lake', 'x'.repeat(200), 'x'.repeat(201), '', ' ', '-', null, undefined])
      expect([query, accepts({ slot: 'a', query })]).toEqual([query, isTaken({ slot: 'a', query })]);
  });
});
