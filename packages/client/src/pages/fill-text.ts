/** Fills files that are not HTML. It replaces only the characters of a placeholder's URL. */

import { type FilledPage, type FillOptions, fillPlaces, type ImagePlace } from './fill';
import type { FindImages, Image } from './find-images';
import { readWords } from './meaningful-text';
import { blankCode, escapeLike, findKnownUrls, type KnownUrl, type TextKind } from './text-urls';
import { findName, hasPeople } from './words';

const endings: Readonly<Record<TextKind, string>> = {
  html: 'html htm xhtml',
  script: 'js mjs jsx ts tsx pug json json5',
  style: 'css',
  yaml: 'yml yaml',
  markdown: 'md',
  mdx: 'mdx',
  markup: 'vue svelte astro hbs php liquid twig erb',
};

/** Finds the kind of a file by its ending; `undefined` for a file that is not read. */
export function findTextKind(path: string): TextKind | undefined {
  const ending = path.split('.').at(-1)?.toLowerCase() ?? '';
  return (Object.keys(endings) as TextKind[]).find((kind) => endings[kind].split(' ').includes(ending));
}

/** Lock files, tests and stories are not read, because their URLs are examples or belong to a tool. */
const unreadFile =
  /(?:^|[\\/])(?:package-lock\.json|npm-shrinkwrap\.json|[^\\/]*[.-]lock\.(?:json|ya?ml)|[^\\/]*\.(?:test|spec|stories)\.[^\\/]*)$|(?:^|[\\/])(?:__tests__|fixtures)[\\/]/i;

/** Returns true if the name of a file is that of a page. */
export const isHtml = (path: string): boolean => findTextKind(path) === 'html';

/** Returns true if a file is read. @param path below the folder that was named */
export const isSource = (path: string): boolean =>
  isHtml(path) || (findTextKind(path) !== undefined && !unreadFile.test(path));

const sizeInUrl = /\/\d{1,4}(?:[x/]\d{1,4})?(?=[/.?&#]|$)|[?&](?:width|height|w|h)=\d+/g;

/** Finds the URLs of placeholder services in a file, and plans an image for each. */
export function findTextPlaces(text: string, name: string): readonly (ImagePlace & KnownUrl)[] {
  const textWithoutCode = blankCode(text, findTextKind(name) ?? 'script');
  const images = new Map<string, Image>();
  const places: (ImagePlace & KnownUrl)[] = [];
  for (const knownUrl of findKnownUrls(text)) {
    const { url, start, judgedUrl } = knownUrl;
    const place = { ...knownUrl, urls: [url] };
    if (judgedUrl.service?.isReserved) continue;
    if (textWithoutCode[start] !== text[start]) places.push({ ...place, reason: 'code' });
    else if (isPartOfExpression(text, knownUrl)) places.push({ ...place, reason: 'template' });
    else places.push({ ...place, reason: 'placeholder', image: findOrAddImage(images, text, knownUrl) });
  }
  return places;
}

/** Finds the image of a URL, or adds one. URLs that differ only in their size show one image. */
function findOrAddImage(images: Map<string, Image>, text: string, knownUrl: KnownUrl): Image {
  const { url, start, judgedUrl } = knownUrl;
  const knownImage = images.get(url);
  if (knownImage) return knownImage;
  const words = readWords(judgedUrl.words);
  const line = text.slice(Math.max(0, start - 100), start).replace(/.*\n/s, '');
  const isPerson = findName(words) !== undefined && (judgedUrl.service?.isFace || hasPeople(line));
  const size = judgedUrl.size ?? { widthPx: 800, heightPx: 600 };
  // A stranger must not stand for a named person.
  if (isPerson || words === '') return { words: '', ...size };
  const unsizedUrl = `without size ${url.replace(sizeInUrl, '')}`;
  const image = { words, ...size, sameAs: images.get(unsizedUrl) };
  images.set(url, image).set(unsizedUrl, image.sameAs ?? image);
  return image;
}

/** Fills a file. It cannot show credits, so the caller has to. @param name its ending says how it is read */
export async function fillText(
  text: string,
  name: string,
  find: FindImages | undefined,
  options: FillOptions = {},
): Promise<FilledPage> {
  const places = findTextPlaces(text, name);
  const picks = text.matchAll(/pick=([\da-f]{20})(?!\w)/g);
  const shownImages = Array.from(picks, ([, pick = '']) => [pick, ''] as const);
  return fillPlaces(text, places, shownImages, find, options, () =>
    places.flatMap(({ image, written, start, end }) => {
      const record = image?.result?.record;
      const src = record?.src ?? record?.url;
      const isInTag = /<[a-z](?:[^<>]|(?<=[=\-?%])>)*$/i.test(text.slice(Math.max(0, start - 1_000), start));
      const isMarkup = findTextKind(name) === 'markup' && isInTag;
      return src === undefined ? [] : [{ start, end, text: escapeLike(written, src, isMarkup) }];
    }),
  );
}

/** Returns true if a URL is only a part of a string, or if a program joins it with another string. */
function isPartOfExpression(text: string, { start, end }: KnownUrl): boolean {
  const quote = text[start - 1] ?? '';
  const behind = text.slice(end, end + 300).split('\n')[0] ?? '';
  if (quote === '(') return !/^\s*(?:\)|\s["'(])/.test(behind);
  if (!/["'`]/.test(quote)) return false;
  const [before, after] = [text.slice(Math.max(0, start - 40), start - 1), behind.split(quote)[1]];
  if (after === undefined || /[+.~]\s*$/.test(before)) return true;
  return /^\s*(?:\+(?!\+)|~|%(?!>)|\.\s*[\w$("'])/.test(after);
}
