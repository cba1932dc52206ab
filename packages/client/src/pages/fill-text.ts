/**
 * Fills sources of any language: the characters of a placeholder's URL are replaced by those of another URL, and nothing
 * else moves. Nothing of the language is understood but its comments and how its texts begin and end.
 */

import type { FilledImage } from '../service';
import {
  type FilledPage,
  type FillOptions,
  findBy,
  type ImageFinder,
  leftIn,
  rowOf,
  unasked,
} from './fill-html';
import { findAll, type ImageWish, outcomeOf } from './find-all';
import { creditOf } from './foreign-texts';
import { pickIn } from './image-places';
import { nameIn, namesPeople } from './image-words';
import { applyEdits } from './page-edits';
import { lineCounter } from './read-page';
import { isExpression, telling } from './telling';
import { type KnownUrl, knownUrlsIn, shownRegions, type TextKind, writtenLike } from './text-urls';

const kinds: Readonly<Record<string, TextKind>> = {
  css: 'style',
  js: 'script',
  mjs: 'script',
  jsx: 'script',
  ts: 'script',
  tsx: 'script',
  pug: 'script',
  json: 'json',
  json5: 'json',
  yml: 'yaml',
  yaml: 'yaml',
  md: 'markdown',
  mdx: 'mdx',
  vue: 'markup',
  svelte: 'markup',
  astro: 'markup',
  hbs: 'markup',
  php: 'markup',
  liquid: 'markup',
  twig: 'markup',
  erb: 'markup',
};

const html = /\.(?:html?|xhtml)$/i;
const sources = new RegExp(`\\.(?:${Object.keys(kinds).join('|')})$`, 'i');
/** Lock files, tests and stories: URLs in them are examples, or belong to a tool. */
const others =
  /(?:^|[\\/])(?:package-lock\.json|npm-shrinkwrap\.json|[^\\/]*[.-]lock\.(?:json|ya?ml)|[^\\/]*\.(?:test|spec|stories)\.[^\\/]*)$|(?:^|[\\/])(?:__tests__|fixtures)[\\/]/i;

/** How a source is read, by its name. */
export const kindOf = (name: string): TextKind =>
  kinds[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'script';

/** Whether a file is read as a page, by its name. */
export const isHtml = (path: string): boolean => html.test(path);

/** Whether a file of a folder is read, by its path in it. */
export const isSource = (path: string): boolean => isHtml(path) || (sources.test(path) && !others.test(path));

/** The size of an image whose URL states none. */
const usual = { width: 800, height: 600 };

/**
 * @param name of the file: its ending says how it is read
 * @param finder absent to see what would be done
 * @returns the text as `html`; its credits are shown nowhere yet
 * @throws as the finder
 */
export async function fillText(
  text: string,
  name: string,
  finder: ImageFinder | undefined,
  options: FillOptions = {},
): Promise<FilledPage> {
  const kind = kindOf(name);
  const isShownAsCode = shownRegions(text, kind);
  // One URL is one image, as it was before.
  const wishes = new Map<string, ImageWish>();
  const places = [...knownUrlsIn(text)]
    .filter(({ isInHtmlOnly }) => !isInHtmlOnly)
    .map((place) => {
      const kept: FilledImage['reason'] | undefined = isShownAsCode(place.start)
        ? 'code'
        : isPartOfExpression(text, place)
          ? 'template'
          : undefined;
      const words = kept ? '' : wordsIn(text, place);
      const { url, width = usual.width, height = usual.height } = place;
      const wish =
        words === '' ? undefined : (wishes.get(url) ?? { words, lang: options.lang, width, height });
      if (wish) wishes.set(url, wish);
      return { place, kept, wish };
    });
  const picks = [...text.matchAll(/https?:[^\s"'`<>()]*/g)].flatMap(
    ([url]) => pickIn(url.replaceAll('\\/', '/')) ?? [],
  );
  const shown = { picks: [...new Set(picks)], byWords: new Map() };
  const found = finder && (await findAll([...wishes.values()], findBy(finder), options, shown));
  const isInTag = tagsIn(text, kind);
  const edits = places.flatMap(({ place: { start, end, written }, wish }) => {
    const record = wish && found?.get(wish)?.record;
    return record
      ? [{ start, end, text: writtenLike(written, record.src ?? record.url, isInTag(start)) }]
      : [];
  });
  const lineAt = lineCounter(text);
  const report = places.map(({ place, kept, wish }): FilledImage => {
    const about = { ...rowOf(lineAt(place.start), place.url), ...unasked };
    if (kept) return { ...about, outcome: 'kept', reason: kept };
    if (!wish) return { ...about, outcome: 'left', reason: 'no_words' };
    const { words: query, width, height } = wish;
    const filled = { ...about, query, width, height, outcome: 'filled', reason: 'placeholder' } as const;
    return found ? { ...filled, ...outcomeOf(found.get(wish), 'placeholder') } : filled;
  });
  const credits = [...(found?.values() ?? [])].flatMap(
    ({ record }) => (record && creditOf(record)?.text) ?? [],
  );
  return { html: applyEdits(text, edits), left: leftIn(report), credits: [...new Set(credits)], report };
}

/** The words of a URL; none for a person's name beside a word for people: no stranger may stand for them. */
function wordsIn(text: string, { words, isFace, start }: KnownUrl): string {
  const said = telling(words);
  const before =
    text
      .slice(Math.max(0, start - 100), start)
      .split('\n')
      .at(-1) ?? '';
  return nameIn(said) !== undefined && (isFace || namesPeople(before)) ? '' : said;
}

/** The longest part of a line that is looked at behind a URL. */
const behindMax = 300;

/** Whether a program puts the text together in which a URL stands, or the URL is not all that stands there. */
function isPartOfExpression(text: string, { start, end }: KnownUrl): boolean {
  const quote = text[start - 1] ?? '';
  const behind = text.slice(end, end + behindMax).split('\n')[0] ?? '';
  if (quote === '(') return !/^\s*(?:\)|\s["'(])/.test(behind);
  if (!/["'`]/.test(quote)) return false;
  const close = behind.indexOf(quote);
  if (close < 0) return true;
  const rest = behind.slice(0, close);
  // Of several URLs in a text, as of a `srcset`, each stands for itself.
  if (
    isExpression(rest) ||
    /\{\{|\$\{/.test(rest) ||
    (rest !== '' && !/^(?:\s+[\d.]+[wx])?\s*(?:,|$)/.test(rest))
  )
    return true;
  const before = text.slice(Math.max(0, start - 40), start - 1).trimEnd();
  return /[+.~]$/.test(before) || /^\s*(?:\+(?!\+)|~|%(?!>)|\.\s*[\w$("'])/.test(behind.slice(close + 1));
}

/** Whether a position lies within a tag, in files whose tags are markup; asked in rising order. */
function tagsIn(text: string, kind: TextKind): (offset: number) => boolean {
  let [from, isIn] = [0, false];
  return (offset) => {
    if (kind !== 'markup') return false;
    for (const [character] of text.slice(from, offset).matchAll(/<(?=[a-z])|(?<![=\-?%])>/gi))
      isIn = character === '<';
    from = offset;
    return isIn;
  };
}
