/** Plans the images that belong in the places of a page: their words, and their size in the markup. */

import type { Size } from '../image-url';
import { isReplaced } from './fill';
import type { Image } from './find-images';
import type { HtmlPlace } from './html-places';
import { pickIn, readPixels } from './judge-url';
import { attr, type HtmlPage, imageOf, memoize, namesOf, pathUp, startOf } from './page';
import { encodeInUrl } from './text-urls';
import { imageWordsOf, isRound, readTexts } from './words';

/** Gives images to the places of a page that are to be filled, and to their preloads. */
export function assignImages(page: HtmlPage, places: readonly HtmlPlace[]): HtmlPlace[] {
  const texts = readTexts(page);
  const theme = page.elements.find((element) => attr(element, 'name') === 'theme-color');
  const filled = new Map<HtmlPlace, Required<Pick<HtmlPlace, 'image' | 'size'>>>();
  for (const group of groupsOf(places)) {
    // The `<img>` of a picture decides what the picture shows; the sizes of its sources differ.
    const place = group.find(({ kind }) => kind !== 'source') ?? (group[0] as HtmlPlace);
    const size = placeSize(place);
    const imageWords = imageWordsOf(texts, place);
    const shownImage = place.kind === 'source' && imageOf(place.element);
    const sameAs = shownImage ? pickIn(attr(shownImage, 'src')) : undefined;
    // Readers of a preview show no data URI, so nothing is drawn for it.
    const isDrawn = place.kind !== 'preview' && (imageWords.words === '' || imageWords.name !== undefined);
    const inShape = (shape: Size, same: Image['sameAs']): Image => {
      const drawing = isDrawn ? draw(shape, theme && attr(theme, 'content'), imageWords.name) : undefined;
      return { ...imageWords, ...shape, sameAs: same, drawing };
    };
    const image = inShape(size, sameAs);
    for (const member of group) {
      const shape = member.kind === 'source' ? sourceSize(member, size) : size;
      const isAlike = Math.abs(shape.width / shape.height / (size.width / size.height) - 1) <= 0.02;
      filled.set(member, { size: shape, image: isAlike ? image : inShape(shape, sameAs ?? image) });
    }
  }
  return places.map((place) => {
    const isLoaded = (other: HtmlPlace) => filled.has(other) && other.urls[0] === place.urls[0];
    const filledPlace = place.kind === 'preload' ? places.find(isLoaded) : place;
    return { ...place, ...(filledPlace && filled.get(filledPlace)) };
  });
}

/** Groups the places to be filled by image: those of a picture, of a rule, the previews. */
function groupsOf(places: readonly HtmlPlace[]): Iterable<readonly HtmlPlace[]> {
  const twins = new Map<string, HtmlPlace>();
  const keyOf = (place: HtmlPlace): unknown => {
    const { kind, element, selector, urls } = place;
    if (kind === 'preview') return 'preview';
    if (kind === 'css') return selector === undefined ? `style ${startOf(element)}` : `rule ${selector}`;
    const image = imageOf(element);
    if (kind === 'source' || image === element) return image ?? element.parentNode;
    if (kind !== 'img' || urls.length === 0) return place;
    // <noscript> repeats an image for browsers without scripts.
    const twin = `${urls.join(' ')} ${attr(element, 'alt')}`;
    if (pathUp(element).some(({ tagName }) => tagName === 'noscript')) return twins.get(twin) ?? place;
    twins.set(twin, place);
    return place;
  };
  const groups = new Map<unknown, HtmlPlace[]>();
  for (const place of places.filter(({ reason }) => isReplaced(reason))) {
    const key = keyOf(place);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return groups.values();
}

const roles = {
  hero: { width: 1600, height: 900 },
  avatar: { width: 128, height: 128 },
  preview: { width: 1200, height: 630 },
  card: { width: 800, height: 600 },
} as const;

/** Finds the size of an image in CSS pixels: by its markup, else its old URL, else its role. */
function placeSize({ element, kind, judged }: HtmlPlace): Size {
  const { width, height, ratio } = statedSize(element);
  const isHero = /^(?:css|poster)$/.test(kind) || pathUp(element, 4).some(isNamedHero);
  const ofRole = isRound(element) && (width ?? 128) <= 128 ? roles.avatar : isHero ? roles.hero : roles.card;
  const usual = judged?.size ?? (kind === 'preview' ? roles.preview : ofRole);
  const aspect = ratio ?? usual.width / usual.height;
  const px = (side: number) => Math.max(1, Math.round(side));
  const fullWidth = width ?? (height ? height * aspect : usual.width);
  return { width: px(fullWidth), height: px(height ?? fullWidth / aspect) };
}

/** Finds the size of a `<source>`: its own, else that of its image, turned for the other orientation. */
function sourceSize({ element, judged }: HtmlPlace, image: Size): Size {
  const { width, height } = statedSize(element);
  if (width && height) return { width, height };
  const isTurned = /orientation\s*:\s*portrait/i.test(attr(element, 'media')) && image.width > image.height;
  return judged?.size ?? (isTurned ? { width: image.height, height: image.width } : image);
}

const isNamedHero = memoize((element) =>
  /(?:^|[\s_-])(?:hero|banner|jumbotron|masthead)(?:$|[\s_-])/i.test(namesOf(element)),
);

/** Reads the size and ratio that an element states: in attributes, inline style and utility classes. */
const statedSize = memoize((element) => {
  const style = attr(element, 'style');
  const classes = attr(element, 'class');
  const utilities = classes.replace('aspect-video', 'aspect-16/9').replace('aspect-square', 'aspect-1/1');
  const side = (name: 'width' | 'height', short: 'w' | 'h') => {
    const stated = /^\d+\s{0,9}(?:px)?$/.exec(attr(element, name))?.[0];
    const styled = new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`).exec(style)?.[1];
    // `w-[300px]`, `w-64`, `size-12`, without a breakpoint.
    const utility = new RegExp(`(?:^|\\s)(?:${short}|size)-(?:\\[(\\d+)px\\]|(\\d+(?:\\.5)?))(?=\\s|$)`);
    const [, exact, quarters] = utility.exec(utilities) ?? [];
    const statements = [stated, styled, exact, quarters && `${Number(quarters) * 4}`];
    return statements.map(readPixels).find((sidePx) => sidePx !== undefined);
  };
  const [, wide, high = 1] =
    /aspect-ratio\s*:\s*(?:auto\s+)?(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+(?:\.\d+)?))?/.exec(style) ??
    /(?:^|\s)aspect-\[?(\d+)\/(\d+)\]?(?=\s|$)/.exec(utilities) ??
    [];
  const ratio = Number(wide) / Number(high);
  return {
    width: side('width', 'w'),
    height: side('height', 'h'),
    ratio: ratio > 0 && ratio < Infinity ? ratio : undefined,
  };
});

/** Draws the initials of a name, else a box in the tone of the page, if that is `#rrggbb`; a data URI. */
function draw({ width, height }: Size, tone = '', name?: string): string {
  // First letters of the first and the last name; the first character where a name has no spaces.
  const names = name?.split(/\s+/).filter((part) => /^[\p{Lu}\p{Lo}]/u.test(part)) ?? [];
  const letters = [...new Set([0, names.length - 1])].map((index) => [...(names[index] ?? '')][0] ?? '');
  const isTone = name === undefined && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(tone);
  const size = Math.round(Math.min(width, height) * 0.4);
  const text = `<text x="50%" y="50%" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${size}" fill="#33312e">${letters.join('')}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${isTone ? tone : '#d8d5cf'}"/>${names.length > 0 ? text : ''}</svg>`;
  return `data:image/svg+xml,${encodeInUrl(encodeURIComponent(svg))}`;
}
