/** Tests the parser with many requests: one meaning in both forms, and one fingerprint for each image. */

import fc from 'fast-check';
import { parameterNames } from '../../lambda/contract/parameters';
import { computeFingerprint } from '../../lambda/requests/image-request';
import { readRequestedSize } from '../../lambda/requests/parse-request';
import { codePoint } from '../fakes/code-point';
import { parseImageRequest, parseRaw } from './raw-request';
import { imageRequest, wordList, writePathForm, writeQueryForm } from './request-arbitrary';

const separator = fc.constantFrom('-', '_', '+', '/', '%20', '%2F');
const gap = fc.string({
  unit: fc.constantFrom('-', '_', ' ', '\t', '\n', '\u00a0', '\u3000', '\ufeff'),
  minLength: 1,
  maxLength: 4,
});

describe('parseRequest', () => {
  test('a serialised request is parsed to itself', () => {
    fc.assert(
      fc.property(imageRequest, (request) =>
        expect(parseImageRequest(writeQueryForm(request))).toEqual(request),
      ),
    );
  });

  test('the path form and the query form of a request are read as the same request', () => {
    fc.assert(
      fc.property(imageRequest, separator, (request, between) => {
        const byPath = parseImageRequest(writePathForm(request, between));
        expect(byPath).toEqual(request);
        expect(computeFingerprint(byPath)).toBe(
          computeFingerprint(parseImageRequest(writeQueryForm(request))),
        );
      }),
    );
  });

  test('the parser refuses an unreadable request with a named fault', () => {
    const text = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.string(),
      fc.constantFrom('0', '100', 'ai', '%', '1x1-'),
    );
    const raw = fc.record(
      {
        pathParameters: fc.record({
          spec: fc.oneof(
            text,
            text.map((words) => `800x600-${words}`),
          ),
        }),
        query: fc.dictionary(
          fc.oneof(fc.constantFrom(...parameterNames), fc.string()),
          fc.array(text, { maxLength: 3 }),
        ),
      },
      { requiredKeys: ['query'] },
    );
    fc.assert(
      fc.property(raw, (request) => {
        const parsed = parseRaw(request);
        const size = readRequestedSize(request);
        expect(Math.min(size.widthPx, size.heightPx)).toBeGreaterThanOrEqual(100);
        expect(Math.max(size.widthPx, size.heightPx)).toBeLessThanOrEqual(4000);
        if ('request' in parsed) return;
        expect(parsed.refusal.faults.length).toBeGreaterThan(0);
        for (const fault of parsed.refusal.faults) {
          expect([...parameterNames, 'path']).toContain(fault.parameter);
          expect(fault.bounds).not.toBe('');
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('computeFingerprint', () => {
  test('the fingerprint ignores the key, the format and unknown parameters', () => {
    const ignoredQuery = fc.record({
      api_key: fc.array(fc.string(), { maxLength: 1 }),
      format: fc.constantFrom([], ['json']),
      t: fc.array(fc.string()),
      utm_source: fc.array(fc.string()),
    });
    fc.assert(
      fc.property(imageRequest, ignoredQuery, (request, ignoredValues) => {
        const { format: _format, ...query } = writeQueryForm(request).query;
        expect(computeFingerprint(parseImageRequest({ query: { ...query, ...ignoredValues } }))).toBe(
          computeFingerprint(request),
        );
      }),
    );
  });

  test('the fingerprint ignores letter case, separators and how letters are composed', () => {
    const words = wordList.filter((list) => !list.join('').includes('ﬁ'));
    const disguise = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.normalize('NFD'),
      (text) => text.normalize('NFKD'),
    );
    fc.assert(
      fc.property(words, disguise, fc.array(gap, { minLength: 13, maxLength: 13 }), (list, change, gaps) => {
        const plain = parseImageRequest({ query: { query: [list.join(' ')] } });
        const spaced = list.map((word, i) => `${gaps[i]}${change(word)}`).join('') + gaps[12];
        expect(computeFingerprint(parseImageRequest({ query: { query: [spaced] } }))).toBe(
          computeFingerprint(plain),
        );
      }),
    );
  });

  test('the fingerprint is the same if letters are lower-cased before or after normalisation', () => {
    // The one exception is the capital lunate sigma, whose small letter normalises to another sigma.
    for (let code = 0x20; code < 0x11000; code++) {
      if ((code >= 0xd800 && code < 0xe000) || code === 0x3f9) continue;
      const letter = String.fromCodePoint(code);
      const small = letter.toLowerCase();
      if (small === letter) continue;
      const parsed = parseRaw({ query: { query: [letter] } });
      if ('refusal' in parsed) continue;
      if (
        computeFingerprint(parsed.request) !==
        computeFingerprint(parseImageRequest({ query: { query: [small] } }))
      )
        throw new Error(`U+${code.toString(16)}`);
    }
  });
});
