/** Spells a text in printable ASCII, for headers and EXIF, which hold nothing else. */

/** Letters and signs that do not decompose into ASCII by themselves. */
const spellings: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '−': '-',
  '·': '-',
  '•': '-',
  '×': 'x',
  '©': '(c)',
  '®': '(R)',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
};

/**
 * Letters lose their marks, typographic signs become plain ones, control characters become spaces, and each run of
 * anything else becomes one question mark.
 */
export function asciiOf(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, (character) => spellings[character] ?? '\x7f')
    .replace(/\x7f+(?: +\x7f+)*/g, '?');
}
