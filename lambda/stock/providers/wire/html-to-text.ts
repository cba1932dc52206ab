/** Converts a fragment of HTML, such as an author's name in Wikimedia's metadata, to plain text. */

import { Parser } from 'htmlparser2';

/** Longest input that is parsed, in characters; an author's name or a licence takes a few hundred. */
const htmlCharactersMax = 20_000;

/** Elements that do not separate words. */
const inline = new Set(['a', 'b', 'bdi', 'em', 'i', 'small', 'span', 'strong', 'sub', 'sup']);
const invisible = new Set(['script', 'style', 'template']);

/**
 * The visible text, with white space collapsed. It contains no control characters and no tags, not even from entities.
 * What follows the first 20,000 characters is ignored.
 */
export function htmlToText(html: string): string {
  const texts: string[] = [];
  /** How many open elements there are from the outermost invisible one on. */
  let hiddenDepth = 0;
  const separate = (name: string) => {
    if (!inline.has(name)) texts.push(' ');
  };
  const parser = new Parser({
    onopentag(name, { style = '' }) {
      separate(name);
      if (hiddenDepth > 0 || invisible.has(name) || /display\s*:\s*none/i.test(style)) hiddenDepth += 1;
    },
    onclosetag(name) {
      separate(name);
      if (hiddenDepth > 0) hiddenDepth -= 1;
    },
    ontext(text) {
      if (hiddenDepth === 0) texts.push(text);
    },
  });
  parser.end(html.slice(0, htmlCharactersMax));
  return texts
    .join('')
    .replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffd\s]+/gu, ' ')
    .replace(/<(?=[a-z/!?])/gi, '< ')
    .trim();
}
