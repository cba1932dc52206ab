/** The size at which a page shows an image, from what its markup says. */

import type { Size } from '../image-size';
import { attribute, type Element, namesAround, parentOf } from './document';
import type { ImagePlace } from './image-places';
import { pixels, type Replaceable } from './replaceable-url';

interface Said {
  width?: number | undefined;
  height?: number | undefined;
  /** Width divided by height. */
  ratio?: number | undefined;
}

/** The size of an image on the page, in CSS pixels. */
export interface LaidOut extends Size {
  /** Whether the element itself says its height, in whatever unit. */
  readonly hasHeight: boolean;
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
export function layoutSize(place: ImagePlace, described: Replaceable | undefined): LaidOut {
  const { element, kind } = place;
  const own = said(element);
  // An image that fills its frame has the size of the frame.
  const parent = parentOf(element);
  const isFilling =
    /(?:^|\s)(?:h-full|size-full|inset-0|object-cover)(?:\s|$)/.test(classes(element)) ||
    /height\s*:\s*100%/.test(styles(element));
  const frame: Said = parent && isFilling ? said(parent) : {};
  const width = own.width ?? (own.ratio && own.height ? undefined : frame.width);
  const height = own.height ?? (own.ratio && own.width ? undefined : frame.height);
  const isRound = [element, ...(isFilling && parent ? [parent] : [])].some(
    (each) =>
      /(?:^|[\s_-])(?:rounded-full|avatar|rounded-circle|headshot)(?:$|[\s_-])/i.test(classes(each)) ||
      /border-radius\s*:\s*50%/.test(styles(each)),
  );
  const role = roles[roleOf(place, isRound && (width ?? described?.width ?? 128) <= 128)];
  const old = described?.width && described.height ? (described as Size) : undefined;
  const ratio = own.ratio ?? frame.ratio;
  const size =
    width && height ? { width, height } : sized(width, height, ratio, old ?? role, !old && kind !== 'meta');
  return {
    width: Math.max(1, Math.round(size.width)),
    height: Math.max(1, Math.round(size.height)),
    hasHeight:
      attribute(element, 'height') !== undefined ||
      /(?:^|;|\s)height\s*:/.test(styles(element)) ||
      /(?:^|\s)(?:h|size)-(?!auto)/.test(classes(element)),
    isRound,
  };
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
  if (kind === 'meta') return 'preview';
  if (isAvatar) return 'avatar';
  if (kind === 'background' || kind === 'poster') return 'hero';
  return namesAround(element, 4).some((text) =>
    /(?:^|[\s_-])(?:hero|banner|jumbotron|masthead)(?:$|[\s_-])/i.test(text),
  )
    ? 'hero'
    : 'card';
}

const classes = (element: Element) => attribute(element, 'class') ?? '';
const styles = (element: Element) => attribute(element, 'style') ?? '';

/** What an element says of its size: attributes, inline style, and utility classes that fix pixels or a ratio. */
function said(element: Element): Said {
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
}

/** `w-64`, `w-[300px]`, `size-12`; the last one without a breakpoint. */
function utility(text: string, name: 'w' | 'h'): number | undefined {
  const pattern = new RegExp(`(?:^|\\s)(?:${name}|size)-(?:\\[(\\d+)px\\]|(\\d+(?:\\.5)?))(?=\\s|$)`);
  const [, exact, quarters] = pattern.exec(text) ?? [];
  return pixels(exact) ?? pixels(quarters && `${Number(quarters) * 4}`);
}

function whole(text: string | undefined): number | undefined {
  return text && /^\d+\s{0,9}(?:px)?$/.test(text.trim()) ? pixels(text) : undefined;
}
