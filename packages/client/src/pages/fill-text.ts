/** Fills sources of any language: the characters of a placeholder's URL are replaced and nothing else. */

import { type FilledPage, type FillOptions, fillPlaces, type ImagePlace } from './fill';
import type { FindImages, Image } from './find-images';
import { meaningfulText } from './meaningful-text';
import { type KnownUrl, knownUrlsIn, type TextKind, withoutCode, writtenLike } from './text-urls';
import { nameIn, namesPeople } from './words';

const endings: Readonly<Record<TextKind, string>> = {
  html: 'html htm xhtml',
  script: 'js mjs jsx ts tsx pug json json5',
  style: 'css',
  yaml: 'yml yaml',
  markdown: 'md',
  mdx: 'mdx',
  markup: 'vue svelte astro hbs php liquid twig erb',
};

/** Returns the kind of a file by its name; `undefined` for one that is not read. */
export function kindOf(path: string): TextKind | undefined {
  const ending = path.split('.').at(-1)?.toLowerCase() ?? '';
  return (Object.keys(endings) as TextKind[]).find((kind) => endings[kind].split(' ').includes(ending));
}

/** Lock files, tests and stories: URLs in them are examples, or belong to a tool. */
const passedOver =
  /(?:^|[\\/])(?:package-lock\.json|npm-shrinkwrap\.json|[^\\/]*[.-]lock\.(?:json|ya?ml)|[^\\/]*\.(?:test|spec|stories)\.[^\\/]*)$|(?:^|[\\/])(?:__tests__|fixtures)[\\/]/i;

/** Whether a file is read as a page, by its name. */
export const isHtml = (path: string): boolean => kindOf(path) === 'html';

/** Whether a file of a folder is read, by its path in it. */
export const isSource = (path: string): boolean =>
  isHtml(path) || (kindOf(path) !== undefined && !passedOver.test(path));

const sizeInUrl = /\/\d{1,4}(?:[x/]\d{1,4})?(?=[/.?&#]|$)|[?&](?:width|height|w|h)=\d+/g;

/** Finds the URLs of placeholder services in a file, and the images that belong in their places. */
export function findTextPlaces(text: string, name: string): readonly (ImagePlace & KnownUrl)[] {
  const run = withoutCode(text, kindOf(name) ?? 'script');
  const images = new Map<string, Image>();
  const places: (ImagePlace & KnownUrl)[] = [];
  for (const known of knownUrlsIn(text)) {
    const { url, start, judged } = known;
    const place = { ...known, urls: [url] };
    if (judged.service?.isReserved) continue;
    if (run[start] !== text[start]) places.push({ ...place, reason: 'code' });
    else if (isPartOfExpression(text, known)) places.push({ ...place, reason: 'template' });
    else places.push({ ...place, reason: 'placeholder', image: findOrAddImage(images, text, known) });
  }
  return places;
}

/** Finds the image of a URL, or adds it: URLs that differ in their size alone are shapes of the first of them. */
function findOrAddImage(images: Map<string, Image>, text: string, { url, start, judged }: KnownUrl): Image {
  const known = images.get(url);
  if (known) return known;
  const words = meaningfulText(judged.words);
  const line = text.slice(Math.max(0, start - 100), start).replace(/.*\n/s, '');
  const isPerson = nameIn(words) !== undefined && (judged.service?.isFace || namesPeople(line));
  const size = judged.size ?? { widthPx: 800, heightPx: 600 };
  // A stranger must not stand for a named person.
  if (isPerson || words === '') return { words: '', ...size };
  const unsized = `without size ${url.replace(sizeInUrl, '')}`;
  const image = { words, ...size, sameAs: images.get(unsized) };
  images.set(url, image).set(unsized, image.sameAs ?? image);
  return image;
}

/** Fills a file and shows no credits. @param name its ending says how it is read */
export async function fillText(
  text: string,
  name: string,
  find: FindImages | undefined,
  options: FillOptions = {},
): Promise<FilledPage> {
  const places = findTextPlaces(text, name);
  const picks = text.matchAll(/pick=([\da-f]{20})(?!\w)/g);
  const shownImages = Array.from(picks, ([, pick = '']) => [pick, ''] as const);
  return fillPlaces(text, places, shownImages, find, options, (results) =>
    places.flatMap(({ image, written, start, end }) => {
      const record = results.get(image)?.record;
      const src = record?.src ?? record?.url;
      const isInTag = /<[a-z](?:[^<>]|(?<=[=\-?%])>)*$/i.test(text.slice(Math.max(0, start - 1_000), start));
      const isMarkup = kindOf(name) === 'markup' && isInTag;
      return src === undefined ? [] : [{ start, end, text: writtenLike(written, src, isMarkup) }];
    }),
  );
}

/** Whether a program appends to the text that a URL stands in, or the text holds more than the URL. */
function isPartOfExpression(text: string, { start, end }: KnownUrl): boolean {
  const quote = text[start - 1] ?? '';
  const behind = text.slice(end, end + 300).split('\n')[0] ?? '';
  if (quote === '(') return !/^\s*(?:\)|\s["'(])/.test(behind);
  if (!/["'`]/.test(quote)) return false;
  const [before, after] = [text.slice(Math.max(0, start - 40), start - 1), behind.split(quote)[1]];
  if (after === undefined || /[+.~]\s*$/.test(before)) return true;
  return /^\s*(?:\+(?!\+)|~|%(?!>)|\.\s*[\w$("'])/.test(after);
}
