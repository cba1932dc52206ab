/** Generates specs of images as pages may write them, in bounds or not. */

import fc from 'fast-check';
import type { ImageSpec } from '../src/image-url';

/** Both sides are whole numbers of pixels that the service takes. */
export function expectInBounds(...sides: readonly (number | string | undefined)[]): void {
  for (const side of sides.map(Number)) {
    expect(Number.isInteger(side)).toBe(true);
    expect(side).toBeGreaterThanOrEqual(100);
    expect(side).toBeLessThanOrEqual(4000);
  }
}

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
/** Within 40:1 and 1:40, the ratios that an accepted size can have. */
const shape = fc
  .tuple(fc.integer({ min: 1, max: 8000 }), fc.integer({ min: 1, max: 8000 }))
  .filter(([width, height]) => width <= 40 * height && height <= 40 * width);

export const spec: fc.Arbitrary<ImageSpec> = fc
  .record(
    {
      query: words,
      seed: fc.oneof(words, fc.integer({ min: 1, max: 20 })),
      avoid: fc.constantFrom('people' as const, 'text' as const, ['people', 'text'] as const),
      color: fc.constantFrom('red', '0a7fff'),
      license: fc.constantFrom('any', 'public-domain'),
      crop: fc.constantFrom('faces', 'top'),
      provider: fc.constantFrom('stock_a', 'stock_b', 'ai'),
      style: fc.constantFrom('photo', 'dark'),
      alternative: fc.constantFrom(1, 2, 10),
      visibility: fc.constantFrom('private', 'public'),
    },
    { requiredKeys: ['query'] },
  )
  .chain((record) =>
    fc.oneof(
      fc.constant(record),
      shape.map(([width, height]) => ({ ...record, width, height })),
      shape.map(([w, h]) => ({ ...record, ratio: `${w}:${h}` as const, width: w })),
      shape.map(([w, h]) => ({ ...record, ratio: w / h, height: h })),
    ),
  );
