/** The size at which a page shows an image, from what its markup says. */

import type { Size } from '../image-size';
import type { ImagePlace } from './image-places';
import { pixels } from './judge-url';
import { around, attribute, type Element, namesOf, onceFor, parentOf } from './read-page';

const roles = {
  hero: { width: 1600, height: 900 },
  avatar: { width: 128, height: 128 },
  preview: { width: 1200, height: 630 },
  card: { width: 800, height: 600 },
} as const;

/** The size that the old URL states. */
const statedSize = ({ verdict }: ImagePlace) => ('fill' in verdict ? verdict.size : undefined);

/** In CSS pixels, and whether the image is shown as a circle. */
export function placeSize(place: ImagePlace): Size & { readonly isRound: boolean } {
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
export function sourceSize(place: ImagePlace, image: Size): Size {
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
