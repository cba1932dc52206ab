/** Serves the images of Astro, as `image.service.entrypoint`. */

// @ts-expect-error Astro itself is no dependency: a site that has this service has it.
import sharp from 'astro/assets/services/sharp';
import { environmentBase, isOurs, sourceUrl } from './image-source';
import type { WantedSize } from './image-url';

/** Options of an image component; sizes in pixels. */
interface AstroTransform {
  /** An imported file is an object. */
  readonly src: unknown;
  readonly width?: number;
  readonly height?: number;
  readonly widths?: readonly number[];
  readonly densities?: readonly (number | `${number}x`)[];
  readonly [option: string]: unknown;
  /** The URL at each width, once `src` is the URL of the service. No attribute of a page is a symbol. */
  readonly [urlAt]?: (width: number | undefined) => string;
}
const urlAt = Symbol('image-redirect');

type Config = { readonly service: { readonly config: { readonly base?: string } } };
type Answer<T> = (options: AstroTransform, config: Config, logger?: unknown) => T | Promise<T>;

/** The parts of Astro's image service that differ here. */
export interface AstroImageService {
  readonly [other: string]: unknown;
  readonly validateOptions: Answer<AstroTransform>;
  readonly getURL: Answer<string>;
  readonly getSrcSet: Answer<readonly { readonly transform: AstroTransform; readonly descriptor: string }[]>;
}

/** Makes a service for sources that begin with `image-redirect:`. @param delegate serves all others */
export function createImageService(delegate: AstroImageService): AstroImageService {
  return {
    ...delegate,

    // A local service's images are made while the site is built, except those whose URL is their source.
    validateOptions(options, config, logger) {
      const { src: source, layout: _layout, ...transform } = options;
      if (typeof source !== 'string' || !isOurs(source, true))
        return delegate.validateOptions(options, config, logger);
      const base = config.service.config.base ?? environmentBase();
      const { width, height } = transform;
      const otherSide: WantedSize = width && height ? { ratio: `${width}:${height}` } : { height };
      const urlOf = (px: number | undefined) => sourceUrl(base, source, { ...otherSide, width: px });
      const src = urlOf(width);
      // Without a format Astro would load the URL to learn it; the service decides by what a browser accepts.
      return { ...sizeIn(src), format: 'webp', ...transform, src, [urlAt]: urlOf };
    },

    getURL(options, config, logger) {
      return options[urlAt] ? String(options.src) : delegate.getURL(options, config, logger);
    },

    getSrcSet(options, config, logger) {
      const { widths = [], densities, width = 0, [urlAt]: urlOf, ...transform } = options;
      if (!urlOf) return delegate.getSrcSet(options, config, logger);
      const factors = densities?.map((density) => Number.parseFloat(String(density)));
      const allWidths = factors?.map((factor) => factor * width) ?? widths;
      const values = allWidths.map((wantedWidth, i) => {
        const src = urlOf(Math.round(wantedWidth));
        const size = sizeIn(src);
        const descriptor = factors ? `${factors[i]}x` : `${size.width ?? wantedWidth}w`;
        const sized = { ...transform, src, ...size, [urlAt]: urlOf };
        return [descriptor, { transform: sized, descriptor }] as const;
      });
      // Several widths out of bounds become one.
      return [...new Map(values).values()];
    },
  };
}

/** Reads the size that a URL asks for; a signed URL says its width only. */
function sizeIn(url: string): Pick<AstroTransform, 'width' | 'height'> {
  const { searchParams } = new URL(url);
  const [width, height] = [Number(searchParams.get('width')), Number(searchParams.get('height'))];
  return { ...(width && { width }), ...(height && { height }) };
}

export default createImageService(sharp);
