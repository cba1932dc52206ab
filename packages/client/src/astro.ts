/** Serves images to Astro, which names this module in `image.service.entrypoint`. */

// @ts-expect-error The package does not depend on Astro. A site with this service has it.
import sharp from 'astro/assets/services/sharp';
import { buildSourceUrl, isOurs, readEnvironmentBase } from './image-source';
import type { WantedSize } from './image-url';

interface AstroTransform {
  /** A text, or an object for an imported file. */
  readonly src: unknown;
  readonly width?: number;
  readonly height?: number;
  readonly widths?: readonly number[];
  readonly densities?: readonly (number | `${number}x`)[];
  readonly [option: string]: unknown;
  /** Returns the URL at a width; absent until `src` is a URL of the service. Astro makes no attribute of a symbol. */
  readonly [buildAtWidth]?: (width: number | undefined) => string;
}
const buildAtWidth = Symbol('image-redirect');

type Config = { readonly service: { readonly config: { readonly base?: string } } };
type Method<T> = (options: AstroTransform, config: Config, logger?: unknown) => T | Promise<T>;

export interface AstroImageService {
  readonly [other: string]: unknown;
  readonly validateOptions: Method<AstroTransform>;
  readonly getURL: Method<string>;
  readonly getSrcSet: Method<readonly { readonly transform: AstroTransform; readonly descriptor: string }[]>;
}

/** Creates a service for sources that begin with `image-redirect:` or are signed. @param delegate serves all others */
export function createImageService(delegate: AstroImageService): AstroImageService {
  return {
    ...delegate,

    // Astro would make an image file in its build if the URL of the image were not its `src`.
    validateOptions(options, config, logger) {
      const { src: source, layout: _layout, ...transform } = options;
      if (typeof source !== 'string' || !isOurs(source, true))
        return delegate.validateOptions(options, config, logger);
      const base = config.service.config.base ?? readEnvironmentBase();
      const { width, height } = transform;
      const otherSide: WantedSize = width && height ? { ratio: `${width}:${height}` } : { height };
      const buildUrl = (px: number | undefined) => buildSourceUrl(base, source, { ...otherSide, width: px });
      const src = buildUrl(width);
      // Without a format, Astro would load the URL to learn it. The service chooses the format for each browser.
      return { ...parseUrlSize(src), format: 'webp', ...transform, src, [buildAtWidth]: buildUrl };
    },

    getURL(options, config, logger) {
      return options[buildAtWidth] ? String(options.src) : delegate.getURL(options, config, logger);
    },

    getSrcSet(options, config, logger) {
      const { widths = [], densities, width = 0, [buildAtWidth]: buildUrlAtWidth, ...transform } = options;
      if (!buildUrlAtWidth) return delegate.getSrcSet(options, config, logger);
      const factors = densities?.map((density) => Number.parseFloat(String(density)));
      const allWidths = factors?.map((factor) => factor * width) ?? widths;
      const values = allWidths.map((wantedWidth, i) => {
        const src = buildUrlAtWidth(Math.round(wantedWidth));
        const size = parseUrlSize(src);
        const descriptor = factors ? `${factors[i]}x` : `${size.width ?? wantedWidth}w`;
        const imageTransform = { ...transform, src, ...size, [buildAtWidth]: buildUrlAtWidth };
        return [descriptor, { transform: imageTransform, descriptor }] as const;
      });
      // Widths out of bounds become the same width, so one of them is enough.
      return [...new Map(values).values()];
    },
  };
}

function parseUrlSize(url: string): Pick<AstroTransform, 'width' | 'height'> {
  const { searchParams } = new URL(url);
  const [width, height] = [Number(searchParams.get('width')), Number(searchParams.get('height'))];
  return { ...(width && { width }), ...(height && { height }) };
}

export default createImageService(sharp);
