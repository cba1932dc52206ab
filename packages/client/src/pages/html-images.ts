/** Plans the images that belong in the places of a page: their words, and their size in the markup. */

import type { Size } from '../image-size';
import { isReplaced } from './fill';
import type { Image } from './find-images';
import type { HtmlPlace } from './html-places';
import { pickIn, readPixels } from './judge-url';
import { attr, type Element, type HtmlPage, imageOf, memoize, namesOf, pathUp, startOf } from './page';
import { encodeInUrl } from './text-urls';
import { findImageWords, isRound, readTexts } from './words';

/** Gives images to the places of a page that are to be filled, and to their preloads. */
export function assignImages(page: HtmlPage, places: readonly HtmlPlace[]): HtmlPlace[] {
  const texts = readTexts(page);
  const theme = page.elements.find((element) => attr(element, 'name') === 'theme-color');
  const filled = new Map<HtmlPlace, Required<Pick<HtmlPlace, 'image' | 'size'>>>();
  for (const group of groupByImage(places)) {
    // The `<img>` of a picture decides what the picture shows; the sizes of its sources differ.
    const place = group.find(({ kind }) => kind !== 'source') ?? (group[0] as HtmlPlace);
    const size = placeSize(place);
    const imageWords = findImageWords(texts, place);
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
      const isAlike = Math.abs(ratioOf(shape) / ratioOf(size) - 1) <= 0.02;
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
function groupByImage(places: readonly HtmlPlace[]): Iterable<readonly HtmlPlace[]> {
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

const ratioOf = ({ widthPx, heightPx }: Size): number => widthPx / heightPx;

/** Finds the size of an image in CSS pixels: by its markup, else its old URL, else its role. */
function placeSize({ element, kind, judged }: HtmlPlace): Size {
  const [widthPx, heightPx] = readSides(element);
  const usual = judged?.size ?? sizeOfRole(element, kind, widthPx);
  const ratio = readRatio(element) ?? ratioOf(usual);
  const finalWidthPx = widthPx ?? (heightPx ? heightPx * ratio : usual.widthPx);
  const wholePx = (px: number) => Math.max(1, Math.round(px));
  return { widthPx: wholePx(finalWidthPx), heightPx: wholePx(heightPx ?? finalWidthPx / ratio) };
}

function sizeOfRole(element: Element, kind: HtmlPlace['kind'], widthPx = 128): Size {
  if (kind === 'preview') return { widthPx: 1200, heightPx: 630 };
  if (isRound(element) && widthPx <= 128) return { widthPx: 128, heightPx: 128 };
  const isHero = /^(?:css|poster)$/.test(kind) || pathUp(element, 4).some(isNamedHero);
  return isHero ? { widthPx: 1600, heightPx: 900 } : { widthPx: 800, heightPx: 600 };
}

const isNamedHero = memoize((element) =>
  /(?:^|[\s_-])(?:hero|banner|jumbotron|masthead)(?:$|[\s_-])/i.test(namesOf(element)),
);

/** Finds the size of a `<source>`: its own, else that of its image, turned for the other orientation. */
function sourceSize({ element, judged }: HtmlPlace, image: Size): Size {
  const [widthPx, heightPx] = readSides(element);
  if (widthPx && heightPx) return { widthPx, heightPx };
  if (judged?.size) return judged.size;
  const isTurned = /orientation\s*:\s*portrait/i.test(attr(element, 'media')) && ratioOf(image) > 1;
  return isTurned ? { widthPx: image.heightPx, heightPx: image.widthPx } : image;
}

/** Reads the width and height that an element states: in attributes, inline style and utility classes. */
const readSides = (element: Element) =>
  (['width', 'height'] as const).map((name) => {
    const attribute = /^\d+\s{0,9}(?:px)?$/.exec(attr(element, name))?.[0];
    const inStyle = new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`);
    const styled = inStyle.exec(attr(element, 'style'))?.[1];
    // `w-[300px]`, `w-64`, `size-12`, without a breakpoint.
    const utility = new RegExp(`(?:^|\\s)(?:${name[0]}|size)-(?:\\[(\\d+)px\\]|(\\d+(?:\\.5)?))(?=\\s|$)`);
    const [, exact, quarters] = utility.exec(attr(element, 'class')) ?? [];
    const stated = [attribute, styled, exact, quarters && `${Number(quarters) * 4}`];
    return stated.map(readPixels).find((px) => px !== undefined);
  });

function readRatio(element: Element): number | undefined {
  const inStyle = /aspect-ratio\s*:\s*(?:auto\s+)?(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+(?:\.\d+)?))?/;
  const classes = attr(element, 'class').replace('aspect-video', 'aspect-16/9');
  const utilities = classes.replace('aspect-square', 'aspect-1/1');
  const [, width, height = 1] =
    inStyle.exec(attr(element, 'style')) ?? /(?:^|\s)aspect-\[?(\d+)\/(\d+)\]?(?=\s|$)/.exec(utilities) ?? [];
  const ratio = Number(width) / Number(height);
  return ratio > 0 && ratio < Infinity ? ratio : undefined;
}

/** Draws the initials of a name, else a box in the tone of the page, if that is `#rrggbb`; a data URI. */
function draw({ widthPx, heightPx }: Size, tone = '', name?: string): string {
  // First letters of the first and the last name; the first character where a name has no spaces.
  const names = name?.split(/\s+/).filter((part) => /^[\p{Lu}\p{Lo}]/u.test(part)) ?? [];
  const letters = [...new Set([0, names.length - 1])].map((index) => [...(names[index] ?? '')][0] ?? '');
  const isTone = name === undefined && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(tone);
  const fontSize = Math.round(Math.min(widthPx, heightPx) * 0.4);
  const text = `<text x="50%" y="50%" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${fontSize}" fill="#33312e">${letters.join('')}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}"><rect width="100%" height="100%" fill="${isTone ? tone : '#d8d5cf'}"/>${names.length > 0 ? text : ''}</svg>`;
  return `data:image/svg+xml,${encodeInUrl(encodeURIComponent(svg))}`;
}
