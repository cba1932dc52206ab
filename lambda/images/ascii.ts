/** Spells credit lines in ASCII, because a header can hold no other characters. */

/** Longest credit line in a header, in characters. API Gateway takes 10,240 bytes of headers. */
export const creditCharactersMax = 400;

/** Spellings of letters and signs that NFKD does not decompose into ASCII. */
const spellings: ReadonlyMap<string, string> = new Map(
  (
    '“" ”" „" «" »" ‘\' ’\' ‚\' –- —- ‐- ‑- −- ·- •- ×x ©(c) ®(R) ßss æae ÆAE œoe ŒOE øo ØO łl ŁL đd ðd ĐD ÐD ' +
    'þth ÞTh ıi'
  )
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
);

/**
 * Spells a text in ASCII. Letters lose their accents, typographic signs become plain signs, and control
 * characters become spaces. Several other characters in a row become one question mark.
 */
export function spellInAscii(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, (character) => spellings.get(character) ?? '\x7f')
    .replace(/\x7f+(?: +\x7f+)*/g, '?');
}
