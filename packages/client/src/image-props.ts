/** Makes the attributes of an `<img>`: its widths, its place on the page before it loads, its alt text. */

import { defaultSize, imageUrl, nearestSize, pageSize, type SignedUrl, type SpecOf } from './image-url';
import { uptoWidthsPx } from './service';

/** The layout of an image on a page. */
export interface LayoutOptions {
  /** `constrained` (default) shrinks with its container, `fixed` does not, `fullWidth` fills it. */
  readonly layout?: 'constrained' | 'fixed' | 'fullWidth';
  /** The attribute, where the layout's own does not fit the page. */
  readonly sizes?: string;
  /** The widths to offer, in pixels, instead of the layout's own. */
  readonly widths?: readonly number[];
  /** The query by default; empty for decoration. */
  readonly alt?: string;
}

/** An image and its layout. Beside a signed URL, which is not read for its words, `alt` is required. */
export type PropsSpecOf<Base extends string> = SpecOf<Base> &
  LayoutOptions &
  (Base extends SignedUrl ? { readonly alt: string } : unknown);

/** Attributes in React's spelling; sizes in CSS pixels. */
export interface ImageProps {
  readonly src: string;
  readonly srcSet: string;
  readonly sizes: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
  readonly loading: 'lazy';
  readonly decoding: 'async';
  readonly style: Readonly<Record<string, string>>;
}

/** Makes the attributes of an image. @param base root, or a signed URL with `upto` */
export function imageProps<Base extends string>(base: Base, spec: PropsSpecOf<Base>): ImageProps {
  const { layout, sizes } = spec;
  // The size on the page is as asked, even where an image of it would be too small to ask for.
  const box = pageSize(base, spec);
  const [width, height] = [Math.round(box.width), Math.round(box.height)];
  const urlAt = (wide: number) => imageUrl(base, { ...spec, ...nearestSize(wide, box) });
  const isFixed = layout === 'fixed';
  const isFull = layout === 'fullWidth';
  const layoutWidths = isFixed ? [] : uptoWidthsPx.filter((w) => (isFull ? w > 256 : w < 2 * width));
  const widths = spec.widths ?? (isFull ? layoutWidths : [...layoutWidths, width, 2 * width]);
  const urls = new Set([...widths].sort((a, b) => a - b).map(urlAt));
  const fixed = { width: `${width}px`, height: `${height}px` };
  const limit = isFull ? {} : { maxWidth: `${width}px` };
  const fluid = { width: '100%', ...limit, height: 'auto', aspectRatio: `${width} / ${height}` };
  return {
    src: urlAt(isFull ? defaultSize.width : width),
    srcSet: [...urls].map((url) => `${url} ${/[?&]width=(\d+)/.exec(url)?.[1]}w`).join(', '),
    sizes: sizes ?? (isFixed ? `${width}px` : isFull ? '100vw' : `(min-width: ${width}px) ${width}px, 100vw`),
    width,
    height,
    alt: spec.alt ?? (spec.query as string),
    loading: 'lazy',
    decoding: 'async',
    style: { ...(isFixed ? fixed : fluid), objectFit: 'cover' },
  };
}

/** Writes a style in React's spelling as the text of a `style` attribute. */
export const cssText = (style: Readonly<Record<string, string>>): string =>
  Object.entries(style)
    .map(([name, value]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
    .join(';');

/** Writes the `<img>` tag, for pages that are put together from strings. @throws as `imageUrl` */
export function imageHtml<Base extends string>(base: Base, spec: PropsSpecOf<Base>): string {
  const { style, ...props } = imageProps(base, spec);
  const escaped = (text: string) => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const attributes = Object.entries({ ...props, style: cssText(style) }).map(
    ([name, value]) => `${name.toLowerCase()}="${escaped(String(value))}"`,
  );
  return `<img ${attributes.join(' ')}>`;
}
