/** Builds the URL of an image, in a size that the service accepts. */

import { defaultSize, findNearestSize, listSizes, parseSize, type Size } from './image-size';
import { type ListedValues, sidePx, signedParameters } from './service';

/** `3:2`, `16/9`, or width divided by height. */
export type Ratio = number | `${number}:${number}` | `${number}/${number}`;

export interface ImageSpec extends Partial<Omit<ListedValues, 'avoid'>> {
  /** May be empty only with a `pick`. */
  readonly query: string;
  /** In pixels. If one side is missing, it follows from `ratio`, which is 16:9 by default. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly ratio?: Ratio | undefined;
  /** `2` is the second best match, and so on. A text picks an image at random, the same each time. */
  readonly seed?: string | number;
  readonly avoid?: ListedValues['avoid'] | readonly ListedValues['avoid'][];
  /** A basic colour name, or `RRGGBB`. */
  readonly color?: string;
  /** Language of the query as a BCP 47 tag, such as `pt-BR`. */
  readonly lang?: string;
  /** The `pick` of a record. Its image is shown, and the words are not searched. */
  readonly pick?: string;
  /** Another image for the same words: the API's parameter `alt`. */
  readonly alternative?: ListedValues['variation'];
  /** The largest size that a signature allows, such as `1920x1080`. It replaces width and height. */
  readonly upto?: `${number}x${number}`;
  /** A site key, `site_…`, which may be published. Never an API key. */
  readonly site?: `site_${string}`;
}

/** A URL with the signature of a signer. The query is part of it. */
export type SignedUrl = `${string}signature=${string}`;

/** The fields of an image at a base. A signed URL takes only a width, in pixels. */
export type SpecOf<Base extends string> = Base extends SignedUrl
  ? { readonly query?: undefined; readonly width?: number | undefined }
  : ImageSpec;

/**
 * Builds the URL of an image. Both sides are brought within 100 to 4000 pixels, and the ratio stays.
 * @param base the root of the service, such as `https://img.example.com`; or a signed URL
 * @throws `TypeError` without a query or for a wrong site key, `RangeError` for a size that no image has
 */
export function imageUrl<Base extends string>(base: Base, spec: SpecOf<Base>): string {
  if (isSigned(base)) {
    const upto = parseUpto(base);
    return upto ? `${base}&width=${chooseSignedWidthPx(spec.width ?? upto.widthPx, upto)}` : base;
  }
  const parameters = Object.entries(writeParameters(spec as ImageSpec));
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return buildEndpointUrl(base, `image?${query}`);
}

export const buildEndpointUrl = (base: string, path: string): string =>
  `${base.replace(/(?<!\/)\/+$/, '')}/api/${path}`;

/** Translates a spec into parameters of the API. @throws what `imageUrl` throws */
export function writeParameters(spec: ImageSpec): Record<string, string | number> {
  const { query, pick, upto, alternative: alt, avoid, site } = spec;
  if (!query && !pick) throw new TypeError('query is required');
  // An API key must not get into a page.
  if (site && !site.startsWith('site_')) throw new TypeError('site must be a site key, site_…');
  if (upto) chooseSignedWidthPx(0, parseSize(upto));
  const wantedSize = upto ? undefined : completeSize(spec);
  const size = wantedSize && findNearestSize(wantedSize.widthPx, wantedSize);
  const sides = { width: size?.widthPx, height: size?.heightPx };
  const values: Record<string, unknown> = { ...spec, ...sides, alt, avoid: avoid?.toString() };
  const names = ['query', 'width', 'height', ...signedParameters, 'site'];
  const givenNames = names.filter((name) => values[name] != null);
  return Object.fromEntries(givenNames.map((name) => [name, values[name] as string | number]));
}

export type WantedSize = Pick<ImageSpec, 'width' | 'height' | 'ratio'>;

function completeSize({ width, height, ratio }: WantedSize): Size {
  if (width && height) return { widthPx: width, heightPx: height };
  const shape = ratio === undefined ? defaultSize : parseSize(ratio);
  const widthPx = width ?? (height ? (height * shape.widthPx) / shape.heightPx : defaultSize.widthPx);
  return { widthPx, heightPx: height ?? (widthPx * shape.heightPx) / shape.widthPx };
}

/** Finds the size of an image on its page. @throws `TypeError` for a URL that is signed without `upto` */
export function findPageSize(base: string, spec: WantedSize): Size {
  if (!isSigned(base)) return completeSize(spec);
  const upto = parseUpto(base);
  if (!upto) throw new TypeError('Several widths need upto in the signed URL');
  return completeSize({ width: spec.width ?? upto.widthPx, ratio: `${upto.widthPx}/${upto.heightPx}` });
}

/** Returns true for a signed URL. Only its width may be changed. */
export const isSigned = (url: string): url is SignedUrl =>
  /\/api\/image[/?]/.test(url) && /[?&]signature=/.test(url);

function parseUpto(url: string): Size | undefined {
  const upto = /[?&]upto=(\d+x\d+)/.exec(url)?.[1];
  return upto === undefined ? undefined : parseSize(upto);
}

/** Finds the smallest signed width that is enough, or the largest. @throws `RangeError` if there is none */
function chooseSignedWidthPx(widthPx: number, upto: Size): number {
  const sizes = listSizes(upto);
  const size = sizes.find((allowed) => allowed.widthPx >= widthPx) ?? sizes.at(-1);
  if (!size || upto.widthPx > sidePx.max || upto.heightPx > sidePx.max)
    throw new RangeError('upto is out of bounds');
  return size.widthPx;
}
