/**
 * What a page shows where it is filled: the places that show one image (of a picture, a rule of CSS, the previews, a
 * twin), and the size that its markup says.
 */

import type { Size } from '../image-url';
import type { Shown } from './fill-places';
import type { ShownImages } from './find-all';
import { filledAttribute, type ImagePlace, pickIn } from './image-places';
import { languageOf, readTexts, wordsOf } from './image-words';
import { pixels } from './judge-url';
import {
  around,
  attribute,
  type Element,
  imageOf,
  namesOf,
  onceFor,
  type Page,
  parentOf,
  startOf,
} from './read-page';

/** Sources whose ratio is so near that of their image show it as it is. */
const ratioTolerance = 0.02;

/** @param places in the order of the source @returns those that are to be filled */
export function shownImages(page: Page, places: readonly ImagePlace[]): ReadonlyMap<ImagePlace, Shown> {
  const texts = readTexts(page);
  const theme = page.elements.find((each) => attribute(each, 'name') === 'theme-color');
  const tone = theme && attribute(theme, 'content');
  const twins = new Map<string, ImagePlace>();
  const groups = new Map<unknown, ImagePlace[]>();
  for (const place of places.filter(({ verdict }) => 'fill' in verdict)) {
    const key = keyOf(place, twins);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  const shown = new Map<ImagePlace, Shown>();
  for (const group of groups.values()) {
    // What a picture shows is said by its image, in whose size the sources differ.
    const place = group.find(({ kind }) => kind !== 'source') ?? (group[0] as ImagePlace);
    const { isRound, ...size } = placeSize(place);
    const words = wordsOf(place, texts, isRound);
    const image = place.kind === 'source' ? imageOf(place.element) : undefined;
    const of = image && pickIn(attribute(image, 'src') ?? '');
    const lang = words.isOfUrl ? undefined : languageOf(place.element);
    const isFound = words.text !== '' && words.name === undefined;
    const wish = { words: words.text, lang, ...size, ...(of && { of }) };
    for (const each of group) {
      const own = each.kind === 'source' ? sourceSize(each, size) : size;
      const isAlike = Math.abs((own.width * size.height) / (own.height * size.width) - 1) <= ratioTolerance;
      const turned = isAlike ? wish : { ...wish, ...own, of: of ?? wish };
      // Where a preview is shown, nothing that is drawn in the page is.
      const drawn = each.kind === 'preview' ? undefined : drawnImage(own, tone, words.name);
      shown.set(each, { words, ...own, ...(isFound ? { wish: turned } : { drawn }) });
    }
  }
  // An image that the page loads early is the same where it is shown.
  const byUrl = new Map([...shown].map(([{ urls }, each]) => [urls[0] ?? '', each]));
  for (const place of places) {
    const loaded = place.kind === 'preload' && byUrl.get(place.urls[0] ?? '');
    if (loaded) shown.set(place, loaded);
  }
  return shown;
}

/** What the places that show one image have in common. @param twins images by what stands in them */
function keyOf(place: ImagePlace, twins: Map<string, ImagePlace>): unknown {
  const { kind, element, selector, urls } = place;
  if (kind === 'preview') return 'preview';
  if (kind === 'css') return selector === undefined ? `style ${startOf(element)}` : `rule ${selector}`;
  const image = imageOf(element);
  if (kind === 'source' || image === element) return image ?? element.parentNode;
  // <noscript> repeats an image for browsers without scripts.
  const twin = `${urls.join(' ')} ${attribute(element, 'alt') ?? ''}`;
  if (kind !== 'img' || urls.length === 0) return place;
  if (around(element).some(({ tagName }) => tagName === 'noscript')) return twins.get(twin) ?? place;
  twins.set(twin, place);
  return place;
}

/** The images of ours that a page shows. */
export function picksOn(places: readonly ImagePlace[]): ShownImages {
  const found = places.flatMap(({ urls, element }) => {
    const pick = pickIn(urls[0] ?? '');
    return pick === undefined ? [] : [{ pick, words: attribute(element, filledAttribute)?.toLowerCase() }];
  });
  const byWords = new Map<string, string[]>();
  for (const { pick, words } of found) if (words) byWords.set(words, [...(byWords.get(words) ?? []), pick]);
  return { picks: [...new Set(found.map(({ pick }) => pick))], byWords };
}

const roles = {
  hero: { width: 1600, height: 900 },
  avatar: { width: 128, height: 128 },
  preview: { width: 1200, height: 630 },
  card: { width: 800, height: 600 },
} as const;

/** The size that the old URL states. */
const statedSize = ({ verdict }: ImagePlace) => ('fill' in verdict ? verdict.size : undefined);

/** In CSS pixels, and whether the image is shown as a circle. */
function placeSize(place: ImagePlace): Size & { readonly isRound: boolean } {
  const { element } = place;
  // An image that fills its frame has the size of the frame.
  const frame = fills(element) ? parentOf(element) : undefined;
  const { width, height, ratio } = { ...(frame && said(frame)), ...said(element) };
  const isRound = isCircle(element) || (frame !== undefined && isCircle(frame));
  const old = statedSize(place);
  const usual = old ?? roles[roleOf(place, isRound && (width ?? 128) <= 128)];
  const shape = ratio ?? usual.width / usual.height;
  // A height alone is that of a band: as wide as what stood there before, or as an image of this kind.
  const band = (height ?? 0) * (ratio || old ? shape : 1);
  const wide = width ?? (ratio && height ? band : Math.max(usual.width, band));
  const high = height ?? wide / shape;
  return { width: Math.max(1, Math.round(wide)), height: Math.max(1, Math.round(high)), isRound };
}

/** The size of a source of a picture: its own, else that of the image, turned where it is for the other orientation. */
function sourceSize(place: ImagePlace, image: Size): Size {
  const { width, height } = said(place.element);
  if (width && height) return { width, height };
  const isPortrait = /orientation\s*:\s*portrait/i.test(attribute(place.element, 'media') ?? '');
  const isTurned = isPortrait && image.width > image.height;
  return statedSize(place) ?? (isTurned ? { width: image.height, height: image.width } : image);
}

function roleOf({ element, kind }: ImagePlace, isAvatar: boolean): keyof typeof roles {
  if (kind === 'preview') return 'preview';
  if (isAvatar) return 'avatar';
  if (kind === 'css' || kind === 'poster') return 'hero';
  return around(element, 4).some(isNamedHero) ? 'hero' : 'card';
}

const classes = (element: Element) => attribute(element, 'class') ?? '';
const styles = (element: Element) => attribute(element, 'style') ?? '';
const fills = (element: Element) =>
  /(?:^|\s)(?:h-full|size-full|inset-0|object-cover)(?:\s|$)/.test(classes(element)) ||
  /height\s*:\s*100%/.test(styles(element));
const isCircle = onceFor(
  (element) =>
    /(?:^|[\s_-])(?:rounded-full|avatar|rounded-circle|headshot)(?:$|[\s_-])/i.test(classes(element)) ||
    /border-radius\s*:\s*50%/.test(styles(element)),
);
const isNamedHero = onceFor((element) =>
  /(?:^|[\s_-])(?:hero|banner|jumbotron|masthead)(?:$|[\s_-])/i.test(namesOf(element)),
);

/** What an element says of its size, and of width divided by height: attributes, inline style, and utility classes. */
const said = onceFor((element) => {
  const utilities = classes(element)
    .replace('aspect-video', 'aspect-16/9')
    .replace('aspect-square', 'aspect-1/1');
  const side = (name: 'width' | 'height', short: 'w' | 'h') => {
    const stated = /^\s*\d+\s{0,9}(?:px)?\s*$/.exec(attribute(element, name) ?? '')?.[0];
    const style = new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`).exec(styles(element))?.[1];
    // `w-[300px]`, `w-64`, `size-12`, without a breakpoint.
    const utility = new RegExp(`(?:^|\\s)(?:${short}|size)-(?:\\[(\\d+)px\\]|(\\d+(?:\\.5)?))(?=\\s|$)`);
    const [, exact, quarters] = utility.exec(utilities) ?? [];
    return pixels(stated) ?? pixels(style) ?? pixels(exact) ?? pixels(quarters && `${Number(quarters) * 4}`);
  };
  const [, wide, high = 1] =
    /aspect-ratio\s*:\s*(?:auto\s+)?(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+(?:\.\d+)?))?/.exec(styles(element)) ??
    /(?:^|\s)aspect-\[?(\d+)\/(\d+)\]?(?=\s|$)/.exec(utilities) ??
    [];
  const [width, height, ratio] = [side('width', 'w'), side('height', 'h'), Number(wide) / Number(high)];
  const isShape = Number.isFinite(ratio) && ratio > 0;
  return { ...(width && { width }), ...(height && { height }), ...(isShape && { ratio }) };
});

/**
 * An image that is drawn in the page itself, where a photo would be wrong.
 * @param tone colour of the page as `#rrggbb`, for a box; another text counts as none
 * @param name whose initials are drawn; a quiet box without one
 * @returns a data URI
 */
export function drawnImage({ width, height }: Size, tone = '', name?: string): string {
  // First letters of the first and the last name; the first character where a name has no spaces.
  const names = name?.split(/\s+/).filter((part) => /^[\p{Lu}\p{Lo}]/u.test(part)) ?? [];
  const letters = [...new Set([0, names.length - 1])].map((index) => [...(names[index] ?? '')][0] ?? '');
  const isTone = name === undefined && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(tone);
  const size = Math.round(Math.min(width, height) * 0.4);
  const text = `<text x="50%" y="50%" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${size}" fill="#33312e">${letters.join('')}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${isTone ? tone : '#d8d5cf'}"/>${names.length > 0 ? text : ''}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg).replace(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}
