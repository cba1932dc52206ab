/** The bounds of requests: values of image parameters, and sizes of bodies, lists and names. */

import { batchExcludedMax, batchImagesMax } from '../../packages/client/src/service';

export { sidePx, uptoWidthsPx } from '../../packages/client/src/service';

/** The styles of AI images. The first is the default. */
export const styles = ['photo', 'minimal', 'dark', 'illustration'] as const;
export type Style = (typeof styles)[number];

/** Who may find an AI image: only its account (the default), or everybody. */
export const visibilities = ['private', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/** The values of `avoid`. A stock image should not show these things. */
export const avoidables = ['people', 'text'] as const;
export type Avoidable = (typeof avoidables)[number];

/** The names that `color` takes. Any other colour is given as `RRGGBB`. */
export const colorNames = [
  'black',
  'white',
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
  'pink',
  'brown',
] as const;
export type ColorName = (typeof colorNames)[number];

/** The values of `license`: any licence, use without a credit, or any use at all. */
export const licenses = ['any', 'attribution-free', 'public-domain'] as const;
export type LicenseCondition = Exclude<(typeof licenses)[number], 'any'>;

/** The part that is kept when a stock image has another ratio. The first is the default. */
export const crops = ['attention', 'center', 'faces', 'top', 'bottom', 'left', 'right'] as const;
export type Crop = (typeof crops)[number];

/** The values of `onmiss`: the source of the image when no stock image fits. */
export const onMisses = ['ai'] as const;

/** The values of `label`: the place of the mark “AI” on an AI image. */
export const labels = ['corner'] as const;
export type Label = (typeof labels)[number];

/** The widths of `srcset` in a record, in pixels. */
export const usualWidthsPx = [480, 640, 828, 1080, 1280, 1920, 2560, 3840] as const;
export const variationBounds = { min: 1, max: 10 } as const;
/** Longest `query`, in characters after normalisation. */
export const queryCharactersMax = 200;
/** A language tag (BCP 47), such as `pt` or `pt-BR`. */
export const languageTag = /^[A-Za-z]{2,3}(-[\dA-Za-z]{2,8}){0,3}$/;
export const pickPattern = /^[0-9a-f]{20}$/;
/** Most images of a choice. A provider sends them in one answer. Seeds up to this number are places in it. */
export const choiceImagesMax = 20;
export const seedCharactersMax = 64;
/** Longest alternative text of an image, in characters, because screen readers read it in one go. */
export const altCharactersMax = 125;

/** The bounds of a batch. `bytesMax` bounds its body. */
export const batchBounds = {
  imagesMax: batchImagesMax,
  bytesMax: 65_536,
  excludedMax: batchExcludedMax,
  pageSlotCharactersMax: 64,
} as const;

/** The bounds of an HTML page that is filled in one call. `bytesMax` bounds the request's body. */
export const pageBounds = {
  imagesMax: batchImagesMax,
  bytesMax: 1_048_576,
  /** Longest response in bytes. Lambda takes 6 MB. */
  answerBytesMax: 5_000_000,
} as const;

export const keyBounds = {
  nameCharactersMax: 64,
  originsMax: 20,
  /** Most active credentials that an owner can make. The operator can make more with the CLI. */
  activeMax: 50,
} as const;
