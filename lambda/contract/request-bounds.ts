/** The bounds of requests: the values of image parameters, and the sizes of bodies, lists and names. */

import { batchExcludedMax, batchImagesMax } from '../../packages/client/src/service';

export { sidePx, uptoWidthsPx } from '../../packages/client/src/service';

/** The styles of AI images, the default first. */
export const styles = ['photo', 'minimal', 'dark', 'illustration'] as const;
export type Style = (typeof styles)[number];

/** The audiences of an AI image, the default first: its account alone, or everybody. */
export const visibilities = ['private', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/** The values of `avoid`: things that a stock image should not show. */
export const avoidables = ['people', 'text'] as const;
export type Avoidable = (typeof avoidables)[number];

/** The colours that `color` knows by name; any other is given as `RRGGBB`. */
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

/** The conditions on a stock image's licence: anything on offer, use without a credit, or any use. */
export const licenses = ['any', 'attribution-free', 'public-domain'] as const;
export type LicenseCondition = Exclude<(typeof licenses)[number], 'any'>;

/** The parts of a stock image to keep if its ratio is not the requested one, the default first. */
export const crops = ['attention', 'center', 'faces', 'top', 'bottom', 'left', 'right'] as const;
export type Crop = (typeof crops)[number];

/** The values of `onmiss`: the source of an image if no stock image fits. */
export const onMisses = ['ai'] as const;

/** The values of `label`: the place of “AI” on an AI image. */
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
/** Most images of a choice, all of one answer of a provider. Seeds up to this number are places in it. */
export const choiceImagesMax = 20;
export const seedCharactersMax = 64;
/** Longest alternative text of an image, in characters: screen readers read it in one go. */
export const altCharactersMax = 125;

/** The bounds of a batch; `bytesMax` is that of its body. */
export const batchBounds = {
  imagesMax: batchImagesMax,
  bytesMax: 65_536,
  excludedMax: batchExcludedMax,
  pageSlotCharactersMax: 64,
} as const;

/** The bounds of an HTML page that is filled in one call; `bytesMax` is that of the body. */
export const pageBounds = {
  imagesMax: batchImagesMax,
  bytesMax: 1_048_576,
  /** Longest answer, in bytes; Lambda takes 6 MB. */
  answerBytesMax: 5_000_000,
} as const;

export const keyBounds = {
  nameCharactersMax: 64,
  originsMax: 20,
  /** Active credentials at which an owner cannot make another one; the operator can, by the CLI. */
  activeMax: 50,
} as const;
