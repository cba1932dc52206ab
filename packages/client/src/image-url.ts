/** Builds the URL of an image from what a page asks for, in a size that the service accepts. */

import { defaultSize, nearestSize, readSize, type Size, sizesBelow } from './image-size';
import { type ListedValues, sidePx, signedParameters } from './service';

/** `3:2`, `16/9`, or width divided by height. */
export type Ratio = number | `${number}:${number}` | `${number}/${number}`;

/** Words, size and conditions of an image. */
export interface ImageSpec extends Partial<Omit<ListedValues, 'avoid'>> {
  /** Empty only beside a `pick`. */
  readonly query: string;
  /** In pixels. One side alone takes the other from `ratio`, by default 16:9. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly ratio?: Ratio | undefined;
  /** `2` is the second best match, and so on; texts draw by lot, always the same. */
  readonly seed?: string | number;
  readonly avoid?: ListedValues['avoid'] | readonly ListedValues['avoid'][];
  /** A basic colour name, or `RRGGBB`. */
  readonly color?: string;
  /** Language of the query as a BCP 47 tag, such as `pt-BR`. */
  readonly lang?: string;
  /** The `pick` of a record: its image is shown whatever the words would find. */
  readonly pick?: string;
  /** Another image for the same words: the API's parameter `alt`. */
  readonly alternative?: ListedValues['variation'];
  /** Largest size that a signature allows, as `1920x1080`; in place of width and height. */
  readonly upto?: `${number}x${number}`;
  /** A publishable site key, `site_…`; never an API key. */
  readonly site?: `site_${string}`;
}

/** A URL that is signed, as a signer returns it: it needs no query. */
export type SignedUrl = `${string}signature=${string}`;

/** The spec of an image on a page; beside a signed URL the width alone, in pixels. */
export type SpecOf<Base extends string> = Base extends SignedUrl
  ? { readonly query?: undefined; readonly width?: number | undefined }
  : ImageSpec;

/**
 * Makes the URL of an image. Both sides are brought within 100 to 4000 pixels, and the ratio stays.
 * @param base root of the service, such as `https://img.example.com`; or a signed URL, which takes a width
 * @throws `TypeError` without a query or for a wrong site key, `RangeError` for a size that no image has
 */
export function imageUrl<Base extends string>(base: Base, spec: SpecOf<Base>): string {
  if (isSigned(base)) {
    const upto = signedUpto(base);
    return upto ? `${base}&width=${signedWidthPx(spec.width ?? upto.widthPx, upto)}` : base;
  }
  const parameters = Object.entries(apiParameters(spec as ImageSpec));
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return endpointUrl(base, `image?${query}`);
}

/** Makes the URL of an endpoint. @param path below `/api/` */
export const endpointUrl = (base: string, path: string): string =>
  `${base.replace(/(?<!\/)\/+$/, '')}/api/${path}`;

/** Translates a spec into parameters of the API. @throws as `imageUrl` */
export function apiParameters(spec: ImageSpec): Record<string, string | number> {
  const { query, pick, upto, alternative: alt, avoid, site } = spec;
  if (!query && !pick) throw new TypeError('query is required');
  // An API key must get into no page.
  if (site && !site.startsWith('site_')) throw new TypeError('site must be a site key, site_…');
  if (upto) signedWidthPx(0, readSize(upto));
  const wanted = upto ? undefined : completeSize(spec);
  const size = wanted && nearestSize(wanted.widthPx, wanted);
  const sides = { width: size?.widthPx, height: size?.heightPx };
  const values: Record<string, unknown> = { ...spec, ...sides, alt, avoid: avoid?.toString() };
  const names = ['query', 'width', 'height', ...signedParameters, 'site'];
  const givenNames = names.filter((name) => values[name] != null);
  return Object.fromEntries(givenNames.map((name) => [name, values[name] as string | number]));
}

/** A size that a page asks for; one side alone takes the other from the ratio. */
export type WantedSize = Pick<ImageSpec, 'width' | 'height' | 'ratio'>;

/** Completes a wanted size, within the bounds of the service or not. */
function completeSize({ width, height, ratio }: WantedSize): Size {
  if (width && height) return { widthPx: width, heightPx: height };
  const shape = ratio === undefined ? defaultSize : readSize(ratio);
  const widthPx = width ?? (height ? (height * shape.widthPx) / shape.heightPx : defaultSize.widthPx);
  return { widthPx, heightPx: height ?? (widthPx * shape.heightPx) / shape.widthPx };
}

/** Finds the size of an image on its page. @throws `TypeError` for a URL that was signed for one size */
export function findPageSize(base: string, spec: WantedSize): Size {
  if (!isSigned(base)) return completeSize(spec);
  const upto = signedUpto(base);
  if (!upto) throw new TypeError('Several widths need upto in the signed URL');
  const { widthPx, heightPx } = upto;
  return completeSize({ width: spec.width ?? widthPx, ratio: `${widthPx}/${heightPx}` });
}

/** Whether a URL is signed, so that nothing of it may change but the width. */
export const isSigned = (url: string): url is SignedUrl =>
  /\/api\/image[/?]/.test(url) && /[?&]signature=/.test(url);

/** Reads the largest size of a signed URL; `undefined` for one that was signed for one size. */
function signedUpto(url: string): Size | undefined {
  const upto = /[?&]upto=(\d+x\d+)/.exec(url)?.[1];
  return upto === undefined ? undefined : readSize(upto);
}

/** Finds the smallest signed width that is enough, else the largest. @throws `RangeError` without any */
function signedWidthPx(widthPx: number, upto: Size): number {
  const sizes = sizesBelow(upto);
  const size = sizes.find((allowed) => allowed.widthPx >= widthPx) ?? sizes.at(-1);
  if (!size || upto.widthPx > sidePx.max || upto.heightPx > sidePx.max)
    throw new RangeError('upto is out of bounds');
  return size.widthPx;
}
