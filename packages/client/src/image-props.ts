/** Computes the attributes of an `<img>`: widths, size on the page, alternative text. */

import { defaultSize, findNearestSize } from './image-size';
import { findPageSize, imageUrl, type SignedUrl, type SpecOf } from './image-url';
import { escapeHtml } from './pages/edits';
import { uptoWidthsPx } from './service';

export interface LayoutOptions {
  /** `constrained` (default) shrinks with its container, `fixed` does not, `fullWidth` fills it. */
  readonly layout?: 'constrained' | 'fixed' | 'fullWidth';
  /** The attribute `sizes`, if the one of the layout does not fit the page. */
  readonly sizes?: string;
  /** The widths to offer, in pixels, in place of those of the layout. */
  readonly widths?: readonly number[];
  /** The alternative text, by default the query. Empty for decoration. */
  readonly alt?: string;
}

/** An image and its layout. With a signed URL `alt` is required, because the words in the URL are not read. */
export type PropsSpecOf<Base extends string> = SpecOf<Base> &
  LayoutOptions &
  (Base extends SignedUrl ? { readonly alt: string } : unknown);

export type ImageProps = ReturnType<typeof imageProps>;

/** Computes the attributes of an image. @param base the root of the service, or a signed URL with `upto` */
export function imageProps<Base extends string>(base: Base, spec: PropsSpecOf<Base>) {
  // The size on the page stays as it was given, even if the service has no image so small.
  const pageSize = findPageSize(base, spec);
  const [width, height] = [Math.round(pageSize.widthPx), Math.round(pageSize.heightPx)];
  const fixedStyle = { width: `${width}px`, height: `${height}px` };
  const fluidStyle = { width: '100%', height: 'auto', aspectRatio: `${width} / ${height}` };
  const fullWidthsPx = uptoWidthsPx.filter((px) => px > 256);
  const layouts = {
    constrained: {
      src: width,
      widths: [...uptoWidthsPx.filter((px) => px < 2 * width), width, 2 * width],
      sizes: `(min-width: ${width}px) ${width}px, 100vw`,
      style: { ...fluidStyle, maxWidth: `${width}px` },
    },
    fixed: { src: width, widths: [width, 2 * width], sizes: `${width}px`, style: fixedStyle },
    fullWidth: { src: defaultSize.widthPx, widths: fullWidthsPx, sizes: '100vw', style: fluidStyle },
  };
  const layout = layouts[spec.layout ?? 'constrained'];
  const buildUrlNear = (wantedWidthPx: number) => {
    const size = findNearestSize(wantedWidthPx, pageSize);
    return imageUrl(base, { ...spec, width: size.widthPx, height: size.heightPx });
  };
  const urls = new Set([...(spec.widths ?? layout.widths)].sort((a, b) => a - b).map(buildUrlNear));
  return {
    src: buildUrlNear(layout.src),
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

export const cssText = (style: Readonly<Record<string, string>>): string =>
  Object.entries(style)
    .map(([name, value]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
    .join(';');

/** Writes an `<img>` tag, for pages that are built from strings. @throws what `imageUrl` throws */
export function imageHtml<Base extends string>(base: Base, spec: PropsSpecOf<Base>): string {
  const { style, ...props } = imageProps(base, spec);
  const attributes = Object.entries({ ...props, style: cssText(style) }).map(
    ([name, value]) => `${name.toLowerCase()}="${escapeHtml(String(value))}"`,
  );
  return `<img ${attributes.join(' ')}>`;
}
