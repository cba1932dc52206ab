/** The URLs of images in CSS, each with where it stands and what it belongs to; in one pass. */

/** A URL in CSS. */
export interface CssUrl {
  /** As it is written. */
  readonly url: string;
  /** Position in the text. */
  readonly start: number;
  /** Property in lower case that holds it. */
  readonly property: string;
  /** Selector of the rule, with single spaces; empty for the content of a `style` attribute. */
  readonly selector: string;
}

/** A text in either kind of quotes. @param end `?` for one that may end with its line */
const quoted = (end: '' | '?') =>
  ['"', "'"].map((quote) => String.raw`${quote}(?:\\[\s\S]|[^${quote}\\\n])*${quote}${end}`).join('|');
/** Comments, URLs, texts, and the characters that structure CSS. */
const token = new RegExp(
  String.raw`\/\*[\s\S]*?(?:\*\/|$)|\burl\(\s*(?<url>${quoted('')}|[^"'()\s][^()\s]*)\s*\)|image-set\(|(?<text>${quoted('?')})|[{};:()]`,
  'gi',
);
const selectorCharactersMax = 300;

/** @param css of a `<style>` or of a `style` attribute, in which quotes may be character references */
export function cssUrls(css: string): CssUrl[] {
  // Of the same length, so that positions stay.
  const plain = css.replace(/&(quot|#34|#39|apos);/g, (reference, name) =>
    (name === 'quot' || name === '#34' ? '"' : "'").padEnd(reference.length),
  );
  const urls: CssUrl[] = [];
  const selectors: string[] = [];
  let from = 0;
  let property = '';
  /** Open brackets within `image-set(`, whose texts are URLs. */
  let inSet = 0;
  const add = (written: string, at: number) => {
    const start = at + (/^["']?\s*/.exec(written)?.[0].length ?? 0);
    const url = written.replace(/^["']/, '').replace(/["']$/, '').trim();
    const selector = selectors.at(-1) ?? '';
    if (url !== '' && property !== '') urls.push({ url, start, property, selector });
  };
  for (const match of plain.matchAll(token)) {
    const [whole] = match;
    const { url, text } = match.groups ?? {};
    if (url !== undefined) add(url, match.index + whole.indexOf(url, 4));
    else if (text !== undefined) {
      if (inSet > 0) add(text, match.index);
    } else if (whole === '(' || whole.endsWith('set(')) inSet += inSet > 0 || whole !== '(' ? 1 : 0;
    else if (whole === ')') inSet = Math.max(0, inSet - 1);
    else if (whole === ':') property ||= propertyIn(plain, from, match.index);
    else if (/^[{};]$/.test(whole)) {
      // A rule within @media is the same rule as without.
      if (whole === '{') {
        const prelude = selectorIn(plain, from, match.index);
        selectors.push(prelude.startsWith('@') ? (selectors.at(-1) ?? '') : prelude);
      }
      if (whole === '}') selectors.pop();
      from = match.index + 1;
      property = '';
      inSet = 0;
    }
  }
  return urls;
}

/** A declaration's property begins where the one before has ended. */
function propertyIn(css: string, from: number, colon: number): string {
  const name = withoutComments(css.slice(Math.max(from, colon - selectorCharactersMax), colon)).trim();
  return /^[\w-]+$/.test(name) ? name.toLowerCase() : '';
}

function selectorIn(css: string, from: number, brace: number): string {
  const prelude = css.slice(Math.max(from, brace - selectorCharactersMax), brace);
  return withoutComments(prelude).replace(/\s+/g, ' ').trim();
}

const withoutComments = (css: string) => css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
