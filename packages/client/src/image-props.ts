/** Makes the attributes of an `<img>`: its widths, its place on the page before it loads, its alt text. */

import { defaultSize, nearestSize } from './image-size';
import { findPageSize, imageUrl, type SignedUrl, type SpecOf } from './image-url';
import { escapeHtml } from './pages/edits';
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
export type ImageProps = ReturnType<typeof imageProps>;

/** Makes the attributes of an image from the root of the service, or from a signed URL with `upto`. */
export function imageProps<Base extends string>(base: Base, spec: PropsSpecOf<Base>) {
  // The size on the page is as asked, even where an image of it would be too small to ask for.
  const pageSize = findPageSize(base, spec);
  const [width, height] = [Math.round(pageSize.widthPx), Math.round(pageSize.heightPx)];
  const fixed = { width: `${width}px`, height: `${height}px` };
  const fluid = { width: '100%', height: 'auto', aspectRatio: `${width} / ${height}` };
  const fullWidthsPx = uptoWidthsPx.filter((px) => px > 256);
  const layouts = {
    constrained: {
      src: width,
      widths: [...uptoWidthsPx.filter((px) => px < 2 * width), width, 2 * width],
      sizes: `(min-width: ${width}px) ${width}px, 100vw`,
      style: { ...fluid, maxWidth: `${width}px` },
    },
    fixed: { src: width, widths: [width, 2 * width], sizes: `${width}px`, style: fixed },
    fullWidth: { src: defaultSize.widthPx, widths: fullWidthsPx, sizes: '100vw', style: fluid },
  };
  const layout = layouts[spec.layout ?? 'constrained'];
  const urlAt = (wantedWidthPx: number) => {
    const size = nearestSize(wantedWidthPx, pageSize);
    return imageUrl(base, { ...spec, width: size.widthPx, height: size.heightPx });
  };
  const urls = new Set([...(spec.widths ?? layout.widths)].sort((a, b) => a - b).map(urlAt));
  return {
    src: urlAt(layout.src),
    srcSet: [...urls].map((url) => `${url} ${/[?&]width=(\d+)/.exec(url)?.[1]}w`).join(', '),
    sizes: spec.sizes ?? layout.sizes,
    width,
    height,
    alt: spec.alt ?? (spec.query as string),
    loading: 'lazy' as const,
    decoding: 'async' as const,
    style: { ...layout.style, objectFit: 'cover' } as const,
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
  const attributes = Object.entries({ ...props, style: cssText(style) }).map(
    ([name, value]) => `${name.toLowerCase()}="${escapeHtml(String(value))}"`,
  );
  return `<img ${attributes.join(' ')}>`;
}
