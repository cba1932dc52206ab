/** Fills files that are not HTML. It replaces only the characters of a placeholder's URL. */

import { type FilledPage, type ImagePlace, makeFilledPage, type WantedImage } from './fill';
import { type FillOptions, type FindImages, findAllImages } from './find-images';
import { blankCode, escapeLike, findPlaceholderUrls, type PlaceholderUrl, type TextKind } from './text-urls';
import { findName, hasPersonWord } from './words';

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

export const isHtmlFile = (path: string): boolean => findTextKind(path) === 'html';

/** Returns true if a file is read. @param path below the folder that was named */
export const isSourceFile = (path: string): boolean =>
  isHtmlFile(path) || (findTextKind(path) !== undefined && !unreadFile.test(path));

const sizeInUrl = /\/\d{1,4}(?:[x/]\d{1,4})?(?=[/.?&#]|$)|[?&](?:width|height|w|h)=\d+/g;

/** Finds the URLs of placeholder services in a file, and chooses an image for each that is replaced. */
export function findTextPlaces(text: string, name: string): readonly (ImagePlace & PlaceholderUrl)[] {
  const textWithoutCode = blankCode(text, findTextKind(name) ?? 'script');
  const images = new Map<string, WantedImage>();
  const imageUrls = [...findPlaceholderUrls(text)].filter(({ judgedUrl }) => !judgedUrl.service?.isReserved);
  return imageUrls.map((imageUrl) => {
    const place = { ...imageUrl, urls: [imageUrl.url] };
    if (textWithoutCode[place.start] !== text[place.start]) return { ...place, reason: 'code' };
    if (isPartOfExpression(text, imageUrl)) return { ...place, reason: 'template' };
    return { ...place, reason: 'placeholder', image: findOrAddImage(images, text, imageUrl) };
  });
}

/** Finds the image of a URL, or adds one. URLs that differ only in their size show one image. */
function findOrAddImage(images: Map<string, WantedImage>, text: string, placeholderUrl: PlaceholderUrl) {
  const { url, start, judgedUrl } = placeholderUrl;
  const sharedImage = images.get(url);
  if (sharedImage) return sharedImage;
  const { words = '', service, size = { widthPx: 800, heightPx: 600 } } = judgedUrl;
  const line = text.slice(Math.max(0, start - 100), start).replace(/.*\n/s, '');
  const isPerson = findName(words) !== undefined && (service?.isFace || hasPersonWord(line));
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
  if (!find) return makeFilledPage(text, places);
  const picks = text.matchAll(/pick=([\da-f]{20})(?!\w)/g);
  const shownImages = Array.from(picks, ([, pick = '']) => [pick, ''] as const);
  const foundPlaces = await findAllImages(places, shownImages, find, options);
  const edits = foundPlaces.flatMap(({ found: { record }, written, start, end }) => {
    const src = record?.src ?? record?.url;
    const isInTag = /<[a-z](?:[^<>]|(?<=[=\-?%])>)*$/i.test(text.slice(Math.max(0, start - 1_000), start));
    const isMarkup = findTextKind(name) === 'markup' && isInTag;
    return src === undefined ? [] : [{ start, end, text: escapeLike(written, src, isMarkup) }];
  });
  return makeFilledPage(text, foundPlaces, edits);
}

/** Returns true if a URL is only a part of a string, or if a program joins it with another string. */
function isPartOfExpression(text: string, { start, end }: PlaceholderUrl): boolean {
  const quote = text[start - 1] ?? '';
  const behind = text.slice(end, end + 300).split('\n')[0] ?? '';
  if (quote === '(') return !/^\s*(?:\)|\s["'(])/.test(behind);
  if (!/["'`]/.test(quote)) return false;
  const [before, after] = [text.slice(Math.max(0, start - 40), start - 1), behind.split(quote)[1]];
  if (after === undefined || /[+.~]\s*$/.test(before)) return true;
  return /^\s*(?:\+(?!\+)|~|%(?!>)|\.\s*[\w$("'])/.test(after);
}
