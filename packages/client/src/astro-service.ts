/** The image service of Astro: the service's URLs for sources that are ours, Astro's own service for all others. */

import { environmentBase, isOurs, sourceUrl, type WantedSize } from './image-source';

/** An image file of the site. */
interface ImportedImage {
  src: string;
  width: number;
  height: number;
  format: 'apng' | 'avif' | 'gif' | 'jpeg' | 'jpg' | 'png' | 'svg' | 'tiff' | 'webp';
}

/** What a page asks of an image, with the options of its component; the sizes in pixels. */
interface AstroTransform {
  readonly src: string | ImportedImage;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly widths?: number[] | undefined;
  readonly densities?: (number | `${number}x`)[] | undefined;
  readonly [option: string]: unknown;
}

/** What is left of a transform once it is validated. */
interface ValidatedTransform<Source = string | ImportedImage> {
  src: Source;
  width?: number | undefined;
  height?: number | undefined;
  readonly [option: string]: unknown;
}

interface AstroSrcSetValue {
  transform: ValidatedTransform<string>;
  descriptor: `${number}w` | `${number}x`;
  attributes?: Record<string, unknown>;
}

interface AstroImageConfig {
  readonly service: { readonly config: { readonly base?: string } };
}

type Call<Input, Result> = (input: Input, config: AstroImageConfig, logger: unknown) => Result;
type LocalTransform = Pick<ValidatedTransform<string>, 'src'> & { readonly [option: string]: unknown };

/** What Astro asks of a local image service; Astro's own implements all of it. */
export interface AstroImageService {
  readonly validateOptions: Call<AstroTransform, ValidatedTransform | Promise<ValidatedTransform>>;
  readonly getURL: Call<AstroTransform, string | Promise<string>>;
  readonly getSrcSet: Call<AstroTransform, AstroSrcSetValue[] | Promise<AstroSrcSetValue[]>>;
  readonly getHTMLAttributes: Call<
    AstroTransform,
    Record<string, unknown> | Promise<Record<string, unknown>>
  >;
  readonly parseURL: Call<URL, LocalTransform | undefined | Promise<LocalTransform> | Promise<undefined>>;
  readonly transform: (
    input: Uint8Array,
    transform: LocalTransform,
    config: AstroImageConfig,
    logger: unknown,
  ) => Promise<{ data: Uint8Array; format: string }>;
  readonly propertiesToHash?: string[];
}

/** Holds the URL at each width, once `src` is the URL of the service. No attribute of a page is a symbol. */
const urlAt = Symbol('image-redirect');

/**
 * Answers for sources that begin with `image-redirect:` and hands everything else to another service.
 * @param delegate Astro's own service, `astro/assets/services/sharp`
 */
export function createImageService(delegate: AstroImageService): AstroImageService {
  return {
    ...delegate,

    // A local service's images are made while the site is built, except those whose URL is their source.
    validateOptions(options, config, logger) {
      if (typeof options.src !== 'string' || !isOurs(options.src, true))
        return delegate.validateOptions(options, config, logger);
      const base = config.service.config.base ?? environmentBase();
      const { width, height } = options;
      const shape: WantedSize = width && height ? { ratio: `${width}:${height}` } : { height };
      const at: UrlAt = (wide) => sourceUrl(base, options.src as string, { ...shape, width: wide });
      const src = at(width);
      const { layout: _layout, ...rest } = options;
      // With a format Astro does not ask the URL for one while it builds; the service decides by what a browser accepts.
      return { ...sizeIn(src), format: 'webp', ...rest, src, [urlAt]: at };
    },

    getURL(options, config, logger) {
      return isValidated(options) ? options.src : delegate.getURL(options, config, logger);
    },

    getSrcSet(options, config, logger) {
      if (!isValidated(options)) return delegate.getSrcSet(options, config, logger);
      const { widths = [], densities, width = 0, ...rest } = options;
      const factors = densities?.map((density) => Number.parseFloat(String(density)));
      const wanted = factors?.map((factor) => factor * width) ?? widths.map(Number);
      const values = wanted.map((wide, i): AstroSrcSetValue => {
        const src = options[urlAt](Math.round(wide));
        const transform = { ...rest, src, ...sizeIn(src) };
        return {
          transform,
          descriptor: factors ? `${factors[i] as number}x` : `${transform.width ?? wide}w`,
        };
      });
      // Widths that the service does not have are brought to the same nearest one.
      return [...new Map(values.map((value) => [value.descriptor, value])).values()];
    },
  };
}

/** The URL at a width. */
type UrlAt = (width: number | undefined) => string;

function isValidated(options: AstroTransform): options is AstroTransform & { src: string; [urlAt]: UrlAt } {
  return urlAt in options;
}

/** The size that a URL asks for; a signed URL says its width only. */
function sizeIn(url: string): { width?: number; height?: number } {
  const { searchParams } = new URL(url);
  const width = Number(searchParams.get('width'));
  const height = Number(searchParams.get('height'));
  return { ...(width ? { width } : {}), ...(height ? { height } : {}) };
}
