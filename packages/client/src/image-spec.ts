/** What to ask of the service, in the words of a page; `alternative` is the API's number `alt`. */

import type { Ratio } from './image-size';

/** A value that is known, or one that a newer service may know. */
type Open<T extends string> = T | (string & {});

export interface ImageSpec {
  /** The words of the image. */
  readonly query: string;
  /** In pixels. One side alone takes the other from `ratio`, which is 16:9 by default. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly ratio?: Ratio | undefined;
  readonly provider?: Open<'stock_a' | 'stock_b' | 'stock_c' | 'ai'>;
  /** `2` to `20` are the second to the twentieth best match; other texts draw by lot, always the same. */
  readonly seed?: string | number;
  readonly avoid?: Open<'people' | 'text'> | readonly Open<'people' | 'text'>[];
  /** A basic colour name, or `RRGGBB`. */
  readonly color?: string;
  readonly license?: Open<'any' | 'attribution-free' | 'public-domain'>;
  readonly crop?: Open<'attention' | 'center' | 'faces' | 'top' | 'bottom' | 'left' | 'right'>;
  /** `ai` generates an image where no photo fits; for callers with a key. */
  readonly onmiss?: Open<'ai'>;
  readonly style?: Open<'photo' | 'minimal' | 'dark' | 'illustration'>;
  readonly variation?: number;
  /** Another image for the same words: the API's parameter `alt`. */
  readonly alternative?: number;
  readonly visibility?: Open<'private' | 'public'>;
  /** Largest size that a signature for several sizes allows, as `1920x1080`; in place of width and height. */
  readonly upto?: `${number}x${number}`;
  /** A publishable site key, `site_…`; never an API key. */
  readonly site?: string;
}

/** A signed URL holds everything but the size. */
export interface SignedSpec {
  readonly query?: undefined;
  /** In pixels. */
  readonly width?: number | undefined;
}
