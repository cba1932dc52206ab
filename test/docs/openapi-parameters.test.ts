/** Tests that the schemas of openapi.json and the parser accept the same values. */

import fc from 'fast-check';
import { imageParameters, type ParameterName, parameterNames } from '../../lambda/contract/parameters';
import { routes } from '../../lambda/contract/routes';
import { parseBatch } from '../../lambda/pages/parse-batch';
import { codePoint } from '../fakes/code-point';
import { parseRaw } from '../requests/raw-request';
import { createComponentValidator, getOperation } from './operations';

/** Returns true if the parser accepts a text for a parameter beside a valid query. */
const isParsed = (name: ParameterName, text: string): boolean =>
  'request' in parseRaw({ query: { query: ['lake'], [name]: [text] } });

/** Normalises a text as the parser does. The bounds apply to the normalised text. */
const normalise = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

const makeAnyText = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength }),
    fc.string({ unit: codePoint, maxLength }),
    fc.string({
      unit: fc.constantFrom(' ', '\u00a0', 'a', '\u0000', '\u0085', '\ufffd', 'ﷺ', '😀'),
      maxLength,
    }),
    fc
      .tuple(fc.constantFrom('a', '😀', ' '), fc.constantFrom(0, 1, 64, 65, 200, 201))
      .map(([unit, n]) => unit.repeat(n)),
  );
const anyNumber = fc.oneof(
  fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 0, max: 5_000 }), fc.double()).map(String),
  fc.constantFrom('99', '100', '4000', '4001', '1e21', '100.5', '+100', ' 100', '0x64', '1_0', '', '１００'),
);
const anyChoice = fc.oneof(
  fc.string(),
  fc.constantFrom('ai', 'AI', 'stock_a', 'stock_d', 'photo', 'dark', 'private', 'json', ' json', ''),
);

describe('parameters of openapi.json', () => {
  test('all parameters of the query form are optional', () => {
    const { parameters } = getOperation(routes.image, 'get');
    expect([...parameters.map(({ name }) => name), 'api_key'].sort()).toEqual([...parameterNames].sort());
    expect(parameters.filter((parameter) => parameter.required)).toEqual([]);
  });

  test.each<[ParameterName, fc.Arbitrary<string>]>([
    ['query', makeAnyText(210)],
    ['seed', makeAnyText(70)],
    ...(['width', 'height', 'variation', 'alt'] as const).map((name) => [name, anyNumber] as never),
    ...(['provider', 'style', 'visibility', 'format'] as const).map((name) => [name, anyChoice] as never),
  ])('the published schema and the parser accept the same values for %s', (name, values) => {
    const accepts = createComponentValidator('parameters', name);
    const isAccepted = (text: string) => {
      if (values === anyNumber) return /^\d+$/.test(text) && accepts(Number(text));
      return accepts(values === anyChoice ? text : normalise(text));
    };
    fc.assert(
      fc.property(values, (text) => expect([text, isAccepted(text)]).toEqual([text, isParsed(name, text)])),
      { numRuns: 500 },
    );
  });

  test('the parser accepts the example of each parameter', () => {
    const { parameters } = getOperation(routes.image, 'get');
    const exampleParameters = parameters.filter(({ example }) => example);
    expect(exampleParameters.map(({ name }) => name)).toContain('query');
    for (const { name, example } of exampleParameters)
      expect([name, isParsed(name as ParameterName, String(example))]).toEqual([name, true]);
  });

  test('the parser accepts each path that the schema of the path form accepts', () => {
    const accepts = createComponentValidator('parameters', 'spec');
    const isValid = (text: string) => {
      const spec = text.isWellFormed() ? encodeURIComponent(text) : text;
      return !('refusal' in parseRaw({ pathParameters: { spec }, query: {} }));
    };
    const side = fc.oneof(fc.integer({ min: 100, max: 4_000 }), fc.integer({ min: 0, max: 5_000 }));
    const separators = fc.constantFrom('-', '_', '+', ' ', '--');
    const end = fc.constantFrom('', '.jpg', '.jpeg', '.WebP', '.avif', '.png', '.gif', '.SVG', '.tgz', '.');
    const segment = fc
      .tuple(side, side, separators, makeAnyText(40), end)
      .map(
        ([width, height, separator, words, extension]) =>
          `${width}x${height}${separator}${words}${extension}`,
      );
    fc.assert(
      fc.property(fc.oneof(segment, fc.string()), (text) => {
        if (accepts(text)) expect([text, isValid(text)]).toEqual([text, true]);
      }),
      { numRuns: 600 },
    );
    const validPaths = ['1920x1080-mountain-lake', '100x4000_a', '4000x100+日本', '100x100-a.jpg'];
    for (const text of [...validPaths, '100x100-.jpg.jpg', '100x100-.tgz', '100x100-jpg'])
      expect([text, accepts(text), isValid(text)]).toEqual([text, true, true]);
    const invalidPaths = ['99x100-a', '4001x100-a', '100x100', '100x100-', '100X100-a', '100x100-\ufe4d'];
    for (const text of [...invalidPaths, '100x100-.jpg', '100x100--.JPEG', '100x100 .webp', '100x100.png'])
      expect([text, accepts(text), isValid(text)]).toEqual([text, false, false]);
  });
});

describe('BatchImage of openapi.json', () => {
  const accepts = createComponentValidator('schemas', 'BatchImage');
  const isBatchImage = (image: object) => !('refusal' in parseBatch({ images: [image] }));
  const edgeValues = [99, 100, 4_000, 4_001, 0, 1, 10, 11, 1.5].flatMap((n) => [n, String(n)]);
  const words = ['ai', 'stock_a', 'dark', 'public', 'people,text', 'blue', '00ff00', 'any', 'faces', 'x', ''];
  const otherValues = [null, [], {}];

  test.each(imageParameters.filter((name) => name !== 'query'))(
    'the schema accepts the same values of %s as the service',
    (name) => {
      for (const value of [...edgeValues, ...words, ...otherValues]) {
        const image = { slot: 'a', query: 'lake', [name]: value };
        // The service also takes numbers for texts, which the document does not promise.
        if (typeof value === 'number' && !/^(width|height|variation|alt|seed)$/.test(name)) continue;
        expect([value, accepts(image)]).toEqual([value, isBatchImage(image)]);
      }
    },
  );

  test('the schema requires a query of words or a pick', () => {
    const pick = '7f2c9b1e04d85a36c1f0';
    expect([accepts({ slot: 'a', pick }), isBatchImage({ slot: 'a', pick })]).toEqual([true, true]);
    for (const query of ['lake', 'x'.repeat(200), 'x'.repeat(201), '', ' ', '-', null, undefined])
      expect([query, accepts({ slot: 'a', query })]).toEqual([query, isBatchImage({ slot: 'a', query })]);
  });
});
