/** Use this in property tests for any character of Unicode. */

import fc from 'fast-check';

const surrogatesStart = 0xd800;
const surrogates = 0x800;

/**
 * One code point that is no surrogate: the unit `binary` of `fc.string`, which lists all 1.1 million of them
 * in each test file that asks for it, and takes over a second for that.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < surrogatesStart ? index : index + surrogates),
  (text) => {
    const code = (text as string).codePointAt(0);
    if (code === undefined || String.fromCodePoint(code) !== text || !text.isWellFormed())
      throw new Error('Not one code point');
    return code < surrogatesStart ? code : code - surrogates;
  },
);
