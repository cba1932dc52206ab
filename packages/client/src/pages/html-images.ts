/** Chooses the images of a page: which places show the same image, its words and its size. */

import type { Size } from '../image-size';
import { isReplaced, type WantedImage } from './fill';
import type { HtmlPlace } from './html-places';
import { parsePick, parsePx } from './judge-url';
import type { Element, HtmlPage } from './page';
import { findImg, getOffset, joinNames, listEnclosing, memoize, readAttr } from './page';
import { encodeUnsafe } from './text-urls';
import { findImageWords, isRound } from './words';

/** Returns the places with the image that each is to show. A preload link gets the image that it loads. */
export function addImages(page: HtmlPage, places: readonly HtmlPlace[]): readonly HtmlPlace[] {
  const images = new Map(groupByImage(places).flatMap((group) => chooseImages(page, group)));
  const findLoadedPlace = ({ urls: [url] }: HtmlPlace) =>
    places.find((place) => images.has(place) && url !== undefined && place.urls[0] === url);
  return places.map((place) => {
    const shownPlace = place.kind === 'preload' ? findLoadedPlace(place) : place;
    return { ...place, ...(shownPlace && images.get(shownPlace)) };
  });
}

/** Chooses the image of each place of a group. It is the same one, in a second shape where the ratio differs. */
function chooseImages(page: HtmlPage, group: readonly HtmlPlace[]) {
  // The `<img>` of a picture decides what the picture shows. Its sources may have other sizes.
  const mainPlace = group.find(({ kind }) => kind !== 'source') ?? (group[0] as HtmlPlace);
  const imageSize = findImageSize(mainPlace);
  const sizes = group.map((place) => findSizeBeside(place, imageSize));
  // Without an `<img>`, perhaps no source has the size of the image. Then the first source decides.
  const mainSize = sizes.some((size) => hasRatioOf(size, imageSize)) ? imageSize : (sizes[0] as Size);
  const imageWords = findImageWords(page, mainPlace);
  const shownImg = mainPlace.kind === 'source' && findImg(mainPlace.element);
  const pick = shownImg ? parsePick(readAttr(shownImg, 'src')) : undefined;
  // Programs that show previews take no data URI, so nothing is drawn for a preview.
  const isDrawn = mainPlace.kind !== 'preview' && (imageWords.words === '' || imageWords.name !== undefined);
  const makeImage = (size: Size, sameAs: WantedImage['sameAs']): WantedImage => {
    const drawing = isDrawn ? makeDrawing(size, readTone(page), imageWords.name) : undefined;
    return { ...imageWords, ...size, sameAs, drawing };
  };
  const mainImage = makeImage(mainSize, pick);
  return group.map((place, index) => {
    const size = sizes[index] as Size;
    const image = hasRatioOf(size, mainSize) ? mainImage : makeImage(size, pick ?? mainImage);
    return [place, { size, image }] as const;
  });
}

/** Groups the places that show one image: those of a picture, those of a CSS rule, and the previews. */
function groupByImage(places: readonly HtmlPlace[]): readonly (readonly HtmlPlace[])[] {
  const twins = new Map<string, HtmlPlace>();
  const computeImageKey = (place: HtmlPlace): unknown => {
    const { kind, element, selector, urls } = place;
    if (kind === 'preview') return 'preview';
    if (kind === 'css') return selector === undefined ? `style ${getOffset(element)}` : `rule ${selector}`;
    const image = findImg(element);
    if (kind === 'source' || image === element) return image ?? element.parentNode;
    if (kind !== 'img' || urls.length === 0) return place;
    // A `<noscript>` repeats an image for browsers without scripts.
    const twin = `${urls.join(' ')} ${readAttr(element, 'alt')}`;
    if (listEnclosing(element).some(({ tagName }) => tagName === 'noscript')) return twins.get(twin) ?? place;
    twins.set(twin, place);
    return place;
  };
  const groups = new Map<unknown, HtmlPlace[]>();
  for (const place of places.filter(({ reason }) => isReplaced(reason))) {
    const key = computeImageKey(place);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups.values()];
}

const computeRatio = ({ widthPx, heightPx }: Size): number => widthPx / heightPx;

const hasRatioOf = (size: Size, other: Size): boolean =>
  Math.abs(computeRatio(size) / computeRatio(other) - 1) <= 0.02;

/** Finds the size of an image in CSS pixels, first in its markup, then in its old URL, then by its role. */
function findImageSize({ element, kind, judgedUrl }: HtmlPlace): Size {
  const [widthPx, heightPx] = readStatedSides(element);
  const usual = judgedUrl?.size ?? chooseUsualSize(element, kind, widthPx);
  const ratio = readStatedRatio(element) ?? computeRatio(usual);
  const finalWidthPx = widthPx ?? (heightPx ? heightPx * ratio : usual.widthPx);
  const roundPx = (px: number) => Math.max(1, Math.round(px));
  return { widthPx: roundPx(finalWidthPx), heightPx: roundPx(heightPx ?? finalWidthPx / ratio) };
}

function chooseUsualSize(element: Element, kind: HtmlPlace['kind'], widthPx = 128): Size {
  if (kind === 'preview') return { widthPx: 1200, heightPx: 630 };
  if (isRound(element) && widthPx <= 128) return { widthPx: 128, heightPx: 128 };
  const heroName = /(?:^|[\s_-])(?:hero|banner|jumbotron|masthead)(?:$|[\s_-])/i;
  const isInHero = listEnclosing(element, 4).some((node) => heroName.test(joinNames(node)));
  const isWide = isInHero || /^(?:css|poster)$/.test(kind);
  return isWide ? { widthPx: 1600, heightPx: 900 } : { widthPx: 800, heightPx: 600 };
}

/** Finds the size of a place beside an image, which only a source of a picture has for itself. */
function findSizeBeside({ kind, element, judgedUrl }: HtmlPlace, image: Size): Size {
  if (kind !== 'source') return image;
  const [widthPx, heightPx] = readStatedSides(element);
  if (widthPx && heightPx) return { widthPx, heightPx };
  if (judgedUrl?.size) return judgedUrl.size;
  const isTurned = /orientation\s*:\s*portrait/i.test(readAttr(element, 'media')) && computeRatio(image) > 1;
  return isTurned ? { widthPx: image.heightPx, heightPx: image.widthPx } : image;
}

/** Reads width and height from attributes, the inline style and utility classes. */
const readStatedSides = (element: Element) =>
  (['width', 'height'] as const).map((name) => {
    const attribute = /^\d+\s{0,9}(?:px)?$/.exec(readAttr(element, name))?.[0];
    const inStyle = new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`);
    const styledSide = inStyle.exec(readAttr(element, 'style'))?.[1];
    // Matches `w-[300px]`, `w-64` and `size-12`, but no class with a breakpoint.
    const utility = new RegExp(`(?:^|\\s)(?:${name[0]}|size)-(?:\\[(\\d+)px\\]|(\\d+(?:\\.5)?))(?=\\s|$)`);
    const [, exact, quarters] = utility.exec(readAttr(element, 'class')) ?? [];
    const statedSides = [attribute, styledSide, exact, quarters && `${Number(quarters) * 4}`];
    return statedSides.map(parsePx).find((px) => px !== undefined);
  });

function readStatedRatio(element: Element): number | undefined {
  const inStyle = /aspect-ratio\s*:\s*(?:auto\s+)?(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+(?:\.\d+)?))?/;
  const classes = readAttr(element, 'class').replace('aspect-video', 'aspect-16/9');
  const utilities = classes.replace('aspect-square', 'aspect-1/1');
  const [, width, height = 1] =
    inStyle.exec(readAttr(element, 'style')) ??
    /(?:^|\s)aspect-\[?(\d+)\/(\d+)\]?(?=\s|$)/.exec(utilities) ??
    [];
  const ratio = Number(width) / Number(height);
  return ratio > 0 && ratio < Infinity ? ratio : undefined;
}

const readTone = memoize(({ elements }: HtmlPage) => {
  const theme = elements.find((element) => readAttr(element, 'name') === 'theme-color');
  return theme && readAttr(theme, 'content');
});

/** Draws the initials of a name, or a box. The box has the tone of the page if that is `#rrggbb`. @returns a data URI */
function makeDrawing({ widthPx, heightPx }: Size, tone = '', name?: string): string {
  // Takes the first letters of the first and the last name, or one letter if there are no spaces.
  const names = name?.split(/\s+/).filter((part) => /^[\p{Lu}\p{Lo}]/u.test(part)) ?? [];
  const letters = [...new Set([0, names.length - 1])].map((index) => [...(names[index] ?? '')][0] ?? '');
  const isTone = name === undefined && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(tone);
  const fontSize = Math.round(Math.min(widthPx, heightPx) * 0.4);
  const text = `<text x="50%" y="50%" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${fontSize}" fill="#33312e">${letters.join('')}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}"><rect width="100%" height="100%" fill="${isTone ? tone : '#d8d5cf'}"/>${names.length > 0 ? text : ''}</svg>`;
  return `data:image/svg+xml,${encodeUnsafe(encodeURIComponent(svg))}`;
}
