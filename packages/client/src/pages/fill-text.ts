/**
 * Fills sources of any language: the characters of a placeholder's URL are replaced by those of another URL, and nothing
 * else moves. Nothing of the language is understood but its comments and how its texts begin and end.
 */

import type { FilledImage } from '../service';
import { type FilledPage, type FillOptions, findBy, type ImageFinder, keptRow, leftIn } from './fill-html';
import { findAll, type ImageWish, outcomeOf } from './find-all';
import { creditOf } from './foreign-texts';
import { pickIn } from './image-places';
import { nameIn, namesPeople } from './image-words';
import { applyEdits } from './page-edits';
import { lineCounter } from './read-page';
import { telling } from './telling';
import { type KnownUrl, knownUrlsIn, type TextKind, withoutCode, writtenLike } from './text-urls';

const endings: Readonly<Record<TextKind, string>> = {
  html: 'html htm xhtml',
  script: 'js mjs jsx ts tsx pug',
  style: 'css',
  json: 'json json5',
  yaml: 'yml yaml',
  markdown: 'md',
  mdx: 'mdx',
  markup: 'vue svelte astro hbs php liquid twig erb',
};

/** How a file is read, by its name; `undefined` for one that is not. */
export function kindOf(path: string): TextKind | undefined {
  const ending = path.split('.').at(-1)?.toLowerCase() ?? '';
  return (Object.keys(endings) as TextKind[]).find((kind) => endings[kind].split(' ').includes(ending));
}

/** Lock files, tests and stories: URLs in them are examples, or belong to a tool. */
const others =
  /(?:^|[\\/])(?:package-lock\.json|npm-shrinkwrap\.json|[^\\/]*[.-]lock\.(?:json|ya?ml)|[^\\/]*\.(?:test|spec|stories)\.[^\\/]*)$|(?:^|[\\/])(?:__tests__|fixtures)[\\/]/i;

/** Whether a file is read as a page, by its name. */
export const isHtml = (path: string): boolean => kindOf(path) === 'html';

/** Whether a file of a folder is read, by its path in it. */
export const isSource = (path: string): boolean =>
  isHtml(path) || (kindOf(path) !== undefined && !others.test(path));

const sizeInUrl = /\/\d{1,4}(?:[x/]\d{1,4})?(?=[/.?&#]|$)|[?&](?:width|height|w|h)=\d+/g;
/** The size of an image whose URL states none. */
const usual = { width: 800, height: 600 };

/**
 * @param name of the file: its ending says how it is read
 * @returns the text as `html`; its credits are shown nowhere yet
 * @throws as the finder
 */
export async function fillText(
  text: string,
  name: string,
  finder: ImageFinder,
  options: FillOptions = {},
): Promise<FilledPage> {
  const kind = kindOf(name) ?? 'script';
  const run = withoutCode(text, kind);
  const lineAt = lineCounter(text);
  // One URL is one image, as it was before, and so are those that differ in their size alone.
  const wishes = new Map<string, ImageWish>();
  const images = new Map<string, ImageWish>();
  interface Place {
    readonly place: KnownUrl;
    readonly row: FilledImage;
    readonly wish?: ImageWish;
  }
  const places = [...knownUrlsIn(text)].flatMap((place): Place[] => {
    const { url, start, size = usual, isReserved } = place;
    if (isReserved) return [];
    const isCode = run[start] !== text[start];
    const row = keptRow(lineAt(start), url, isCode ? 'code' : 'template');
    if (isCode || isPartOfExpression(text, place)) return [{ place, row }];
    const words = wordsIn(text, place);
    if (words === '') return [{ place, row: { ...row, outcome: 'left', reason: 'no_words' } }];
    const image = url.replace(sizeInUrl, '');
    const of = images.get(image);
    const wish = wishes.get(url) ?? { words, ...size, ...(of && { of }) };
    wishes.set(url, wish);
    images.set(image, of ?? wish);
    return [{ place, row, wish }];
  });
  const urls = [...text.matchAll(/https?:[^\s"'`<>()]*/g)].map(([url]) => url.replaceAll('\\/', '/'));
  const shown = { picks: [...new Set(urls.flatMap((url) => pickIn(url) ?? []))], byWords: new Map() };
  const found = finder && (await findAll([...wishes.values()], findBy(finder), options, shown));
  const edits = places.flatMap(({ place, wish }) => {
    const record = wish && found?.get(wish)?.record;
    if (!record) return [];
    const isMarkup = kind === 'markup' && isInTag(text, place.start);
    return [{ ...place, text: writtenLike(place.written, record.src ?? record.url, isMarkup) }];
  });
  const report = places.map(({ row, wish }): FilledImage => {
    if (!wish) return row;
    const { words: query, width, height } = wish;
    const filled = { ...row, query, width, height, outcome: 'filled', reason: 'placeholder' } as const;
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
  const before = text
    .slice(Math.max(0, start - 100), start)
    .split('\n')
    .at(-1) as string;
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
  const [before, after] = [text.slice(Math.max(0, start - 40), start - 1), behind.split(quote)[1]];
  return (
    after === undefined || /[+.~]\s*$/.test(before) || /^\s*(?:\+(?!\+)|~|%(?!>)|\.\s*[\w$("'])/.test(after)
  );
}

/** Whether a position lies within a tag, as far as what stands shortly before it says. */
const isInTag = (text: string, offset: number): boolean =>
  /<[a-z](?:[^<>]|(?<=[=\-?%])>)*$/i.test(text.slice(Math.max(0, offset - 1_000), offset));
