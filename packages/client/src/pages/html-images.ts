/** The images that belong in the places of a page: their words, and their size in the markup. */

import type { Size } from '../image-url';
import { type Image, isReplaced } from './fill';
import type { HtmlPlace } from './html-places';
import { pickIn, pixels } from './judge-url';
import { around, imageOf, namesOf, onceFor, type Page, said, startOf } from './page';
import { createWords, isRound } from './words';

/** Sources whose ratio is so near that of their image show it as it is. */
const ratioTolerance = 0.02;

/**
 * Gives an image to every place to be filled. The places of a picture, of a rule and of previews share one.
 * @param places in the order of the source
 */
export function addImages(page: Page, places: readonly HtmlPlace[]): void {
  const wordsOf = createWords(page);
  const theme = page.elements.find((each) => said(each, 'name') === 'theme-color');
  const tone = theme && said(theme, 'content');
  const twins = new Map<string, HtmlPlace>();
  /** Returns the key that the places of one image have in common. */
  const keyOf = (place: HtmlPlace): unknown => {
    const { kind, element, selector, urls } = place;
    if (kind === 'preview') return 'preview';
    if (kind === 'css') return selector === undefined ? `style ${startOf(element)}` : `rule ${selector}`;
    const image = imageOf(element);
    if (kind === 'source' || image === element) return image ?? element.parentNode;
    if (kind !== 'img' || urls.length === 0) return place;
    // <noscript> repeats an image for browsers without scripts.
    const twin = `${urls.join(' ')} ${said(element, 'alt')}`;
    if (around(element).some(({ tagName }) => tagName === 'noscript')) return twins.get(twin) ?? place;
    twins.set(twin, place);
    return place;
  };
  const groups = new Map<unknown, HtmlPlace[]>();
  for (const place of places.filter(({ reason }) => isReplaced(reason))) {
    const key = keyOf(place);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  for (const group of groups.values()) {
    // The `<img>` of a picture decides what the picture shows; the sizes of its sources differ.
    const place = group.find(({ kind }) => kind !== 'source') ?? (group[0] as HtmlPlace);
    const size = placeSize(place);
    const words = wordsOf(place);
    const ours = place.kind === 'source' ? imageOf(place.element) : undefined;
    const sameAs = ours && pickIn(said(ours, 'src'));
    // Where a preview is shown, nothing that is drawn in the page is.
    const isDrawn = place.kind !== 'preview' && (words.words === '' || words.name !== undefined);
    const drawnAs = (shape: Size) => (isDrawn ? { drawn: drawnImage(shape, tone, words.name) } : {});
    const image: Image = { ...words, ...size, sameAs, ...drawnAs(size) };
    for (const each of group) {
      const shape = each.kind === 'source' ? sourceSize(each, size) : size;
      const isAlike =
        Math.abs((shape.width * size.height) / (shape.height * size.width) - 1) <= ratioTolerance;
      const inShape: Image = { ...image, ...shape, sameAs: sameAs ?? image, ...drawnAs(shape) };
      Object.assign(each, { size: shape, image: isAlike ? image : inShape });
    }
  }
  for (const preload of places.filter(({ kind }) => kind === 'preload')) {
    const shown = places.find(({ image, urls: [url] }) => image && url === preload.urls[0]);
    Object.assign(preload, { image: shown?.image, size: shown?.size });
  }
}

const roles = {
  hero: { width: 1600, height: 900 },
  avatar: { width: 128, height: 128 },
  preview: { width: 1200, height: 630 },
  card: { width: 800, height: 600 },
} as const;

/** Returns the size of an image in CSS pixels: by its markup, else its old URL, else its role. */
function placeSize({ element, kind, old }: HtmlPlace): Size {
  const { width, height, ratio } = saidSize(element);
  const isHero = /^(?:css|poster)$/.test(kind) || around(element, 4).some(isNamedHero);
  const ofRole = isRound(element) && (width ?? 128) <= 128 ? roles.avatar : isHero ? roles.hero : roles.card;
  const usual = old?.size ?? (kind === 'preview' ? roles.preview : ofRole);
  const shape = ratio ?? usual.width / usual.height;
  const wide = width ?? (height ? height * shape : usual.width);
  return { width: Math.max(1, Math.round(wide)), height: Math.max(1, Math.round(height ?? wide / shape)) };
}

/** The size of a `<source>`: its own, else that of its image, turned for the other orientation. */
function sourceSize({ element, old }: HtmlPlace, image: Size): Size {
  const { width, height } = saidSize(element);
  if (width && height) return { width, height };
  const isTurned = /orientation\s*:\s*portrait/i.test(said(element, 'media')) && image.width > image.height;
  return old?.size ?? (isTurned ? { width: image.height, height: image.width } : image);
}

const isNamedHero = onceFor((element) =>
  /(?:^|[\s_-])(?:hero|banner|jumbotron|masthead)(?:$|[\s_-])/i.test(namesOf(element)),
);

/** The size and ratio that an element states: in attributes, inline style and utility classes. */
const saidSize = onceFor((element) => {
  const style = said(element, 'style');
  const utilities = said(element, 'class')
    .replace('aspect-video', 'aspect-16/9')
    .replace('aspect-square', 'aspect-1/1');
  const side = (name: 'width' | 'height', short: 'w' | 'h') => {
    const stated = /^\d+\s{0,9}(?:px)?$/.exec(said(element, name))?.[0];
    const styled = new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`).exec(style)?.[1];
    // `w-[300px]`, `w-64`, `size-12`, without a breakpoint.
    const utility = new RegExp(`(?:^|\\s)(?:${short}|size)-(?:\\[(\\d+)px\\]|(\\d+(?:\\.5)?))(?=\\s|$)`);
    const [, exact, quarters] = utility.exec(utilities) ?? [];
    return pixels(stated) ?? pixels(styled) ?? pixels(exact) ?? pixels(quarters && `${Number(quarters) * 4}`);
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

/** A data URI of the initials of a name, else of a box in the tone of the page, if that is `#rrggbb`. */
function drawnImage({ width, height }: Size, tone = '', name?: string): string {
  // First letters of the first and the last name; the first character where a name has no spaces.
  const names = name?.split(/\s+/).filter((part) => /^[\p{Lu}\p{Lo}]/u.test(part)) ?? [];
  const letters = [...new Set([0, names.length - 1])].map((index) => [...(names[index] ?? '')][0] ?? '');
  const isTone = name === undefined && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(tone);
  const size = Math.round(Math.min(width, height) * 0.4);
  const text = `<text x="50%" y="50%" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${size}" fill="#33312e">${letters.join('')}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${isTone ? tone : '#d8d5cf'}"/>${names.length > 0 ? text : ''}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg).replace(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}
