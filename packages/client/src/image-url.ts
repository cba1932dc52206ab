/** Builds the URL of an image from what a page asks for, in a size that the service accepts. */

import { type ListedValues, sidePx, signedParameters, uptoWidthsPx } from './service';

/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** `3:2`, `16/9`, or width divided by height. */
export type Ratio = number | `${number}:${number}` | `${number}/${number}`;

const { min, max } = sidePx;
/** The size of an image whose request names none. */
export const defaultSize: Size = { width: sidePx.defaultWidth, height: sidePx.defaultHeight };

const clamp = (low: number, value: number, high: number) => Math.max(low, Math.min(high, value));

/** Finds the nearest accepted size of a ratio. @throws `RangeError` for one beyond 40:1 or 1:40 */
export function nearestSize(width: number, { width: w, height: h }: Size): Size {
  if (!(w > 0 && h > 0 && w <= 40 * h && h <= 40 * w))
    throw new RangeError('ratio must be from 1:40 to 40:1');
  // Multiplied first, so that a whole number stays one.
  const least = Math.max(min, Math.ceil((min * w) / h));
  const most = Math.min(max, Math.floor((max * w) / h));
  const clampedWidth = clamp(least, Math.round(width), most);
  return { width: clampedWidth, height: clamp(min, Math.round((clampedWidth * h) / w), max) };
}

/** Finds the smallest signed width that is enough, else the largest. @throws `RangeError` without any */
function signedWidth(width: number, upto: Size): number {
  const heightOf = (w: number) => Math.round((w * upto.height) / upto.width);
  const allowed = uptoWidthsPx.filter((w) => w <= upto.width && heightOf(w) >= min);
  const nearest = allowed.find((w) => w >= width) ?? allowed.at(-1);
  if (!nearest || upto.width > max || upto.height > max) throw new RangeError('upto is out of bounds');
  return nearest;
}

/** Reads a ratio, or `1920x1080`; other texts give sides that no image can have. */
function readSize(text: string | number): Size {
  const [width = 0, height = 1] = String(text).split(/[:/x]/).map(Number);
  return { width, height };
}

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
    return upto ? `${base}&width=${signedWidth(spec.width ?? upto.width, upto)}` : base;
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
  if (upto) signedWidth(0, readSize(upto));
  const wanted = sizeOf(spec);
  const size = upto ? { width: null, height: null } : nearestSize(wanted.width, wanted);
  const values: Record<string, unknown> = { ...spec, ...size, alt, avoid: avoid?.toString() };
  const names = ['query', 'width', 'height', ...signedParameters, 'site'];
  const givenNames = names.filter((name) => values[name] != null);
  return Object.fromEntries(givenNames.map((name) => [name, values[name] as string | number]));
}

/** A size that a page asks for; one side alone takes the other from the ratio. */
export type WantedSize = Pick<ImageSpec, 'width' | 'height' | 'ratio'>;

/** Completes a wanted size, within the bounds of the service or not. */
function sizeOf({ width, height, ratio }: WantedSize): Size {
  if (width && height) return { width, height };
  const shape = ratio === undefined ? defaultSize : readSize(ratio);
  const finalWidth = width ?? (height ? (height * shape.width) / shape.height : defaultSize.width);
  return { width: finalWidth, height: height ?? (finalWidth * shape.height) / shape.width };
}

/** Finds the size of an image on its page. @throws `TypeError` for a URL that was signed for one size */
export function pageSize(base: string, spec: WantedSize): Size {
  if (!isSigned(base)) return sizeOf(spec);
  const upto = signedUpto(base);
  if (!upto) throw new TypeError('Several widths need upto in the signed URL');
  return sizeOf({ width: spec.width ?? upto.width, ratio: `${upto.width}/${upto.height}` });
}

/** Whether a URL is signed, so that nothing of it may change but the width. */
export const isSigned = (url: string): url is SignedUrl =>
  /\/api\/image[/?]/.test(url) && /[?&]signature=/.test(url);

function signedUpto(url: string): Size | undefined {
  const upto = /[?&]upto=(\d+x\d+)/.exec(url)?.[1];
  return upto === undefined ? undefined : readSize(upto);
}
