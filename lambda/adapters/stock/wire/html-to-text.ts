/** The plain text of a piece of HTML, such as the author's name in Wikimedia's metadata. */

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
};

/** Text without tags, comments, scripts and hidden parts, with entities decoded and white space collapsed. */
export function htmlToText(html: string): string {
  return html
    .replace(/<!--.*?-->|<(script|style)\b.*?<\/\1\s*>/gis, ' ')
    .replace(/<(\w+)[^>]*display:\s*none[^>]*>.*?<\/\1>/gis, ' ')
    .replace(/<\/?(b|i|em|strong|a|span|bdi|sup|sub|small)\b[^>]*>/gi, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (entity, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
    })
    .replace(/\s+/g, ' ')
    .trim();
}
