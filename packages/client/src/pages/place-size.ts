/** The size at which a page shows an image, from what its markup says. */

import type { Size } from '../image-size';
import type { ImagePlace } from './image-place';
import { type DescribedUrl, pixels } from './judge-url';
import { around, attribute, type Element, namesOf, onceFor, parentOf } from './read-page';

interface Said {
  width?: number | undefined;
  height?: number | undefined;
  /** Width divided by height. */
  ratio?: number | undefined;
}

/** The size of an image on the page, in CSS pixels. */
export interface LaidOut extends Size {
  /** Shown as a circle. */
  readonly isRound: boolean;
}

const roles = {
  hero: { width: 1600, height: 900 },
  avatar: { width: 128, height: 128 },
  preview: { width: 1200, height: 630 },
  card: { width: 800, height: 600 },
} as const;

/** @param described what the old URL says of its size */
export function placeSize(place: ImagePlace, described: Partial<DescribedUrl>): LaidOut {
  const { element, kind } = place;
  const own = said(element);
  // An image that fills its frame has the size of the frame.
  const parent = parentOf(element);
  const isFilling = fills(element);
  const frame: Said = parent && isFilling ? said(parent) : {};
  const width = own.width ?? (own.ratio && own.height ? undefined : frame.width);
  const height = own.height ?? (own.ratio && own.width ? undefined : frame.height);
  const isRound = isCircle(element) || (isFilling && parent !== undefined && isCircle(parent));
  const role = roles[roleOf(place, isRound && (width ?? described.width ?? 128) <= 128)];
  const old = described.width && described.height ? (described as Size) : undefined;
  const ratio = own.ratio ?? frame.ratio;
  const size =
    width && height
      ? { width, height }
      : sized(width, height, ratio, old ?? role, !old && kind !== 'preview');
  return {
    width: Math.max(1, Math.round(size.width)),
    height: Math.max(1, Math.round(size.height)),
    isRound,
  };
}

/** The size of a source of a picture: its own, else that of the image, turned where it is for the other orientation. */
export function sourceSize(place: ImagePlace, described: Partial<DescribedUrl>, image: Size): Size {
  const { width, height } = said(place.element);
  if (width && height) return { width, height };
  if (described.width && described.height) return described as Size;
  const isPortrait = /orientation\s*:\s*portrait/i.test(attribute(place.element, 'media') ?? '');
  const isTurned = isPortrait && image.width > image.height;
  return isTurned ? { width: image.height, height: image.width } : image;
}

/** One side, a ratio or neither, filled up from the size that an image of this kind has. */
function sized(
  width: number | undefined,
  height: number | undefined,
  ratio: number | undefined,
  usual: Size,
  isRole: boolean,
): Size {
  const shape = ratio ?? usual.width / usual.height;
  if (width) return { width, height: width / shape };
  if (!height) return { width: usual.width, height: usual.width / shape };
  // A height alone is that of a band: as wide as what stood there before, or as an image of this kind.
  return { width: ratio ? height * ratio : Math.max(usual.width, isRole ? height : height * shape), height };
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

/** What an element says of its size: attributes, inline style, and utility classes that fix pixels or a ratio. */
const said = onceFor((element): Said => {
  const style = styles(element);
  const side = (name: 'width' | 'height') =>
    whole(attribute(element, name)) ??
    pixels(new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`).exec(style)?.[1]) ??
    utility(classes(element), name === 'width' ? 'w' : 'h');
  const utilities = classes(element)
    .replace('aspect-video', 'aspect-16/9')
    .replace('aspect-square', 'aspect-1/1');
  const [, wide, high = 1] =
    /aspect-ratio\s*:\s*(?:auto\s+)?(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+(?:\.\d+)?))?/.exec(style) ??
    /(?:^|\s)aspect-\[?(\d+)\/(\d+)\]?(?=\s|$)/.exec(utilities) ??
    [];
  const ratio = Number(wide) / Number(high);
  return {
    width: side('width'),
    height: side('height'),
    ratio: Number.isFinite(ratio) && ratio > 0 ? ratio : undefined,
  };
});

/** `w-64`, `w-[300px]`, `size-12`; the last one without a breakpoint. */
function utility(text: string, name: 'w' | 'h'): number | undefined {
  const pattern = new RegExp(`(?:^|\\s)(?:${name}|size)-(?:\\[(\\d+)px\\]|(\\d+(?:\\.5)?))(?=\\s|$)`);
  const [, exact, quarters] = pattern.exec(text) ?? [];
  return pixels(exact) ?? pixels(quarters && `${Number(quarters) * 4}`);
}

function whole(text: string | undefined): number | undefined {
  return text && /^\d+\s{0,9}(?:px)?$/.test(text.trim()) ? pixels(text) : undefined;
}
