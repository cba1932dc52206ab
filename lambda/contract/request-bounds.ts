/** The bounds of requests: values of image parameters, and sizes of bodies, lists and names. */

import * as client from '../../packages/client/src/service';

export { sidePx, uptoWidthsPx } from '../../packages/client/src/service';

/** The values of parameters that have a list of them. The lists stand in the client's package. */
export const { listedValues } = client;
export const { style: styles, visibility: visibilities, avoid: avoidables, onmiss: onMisses } = listedValues;
export type Style = client.ListedValues['style'];
export type Visibility = client.ListedValues['visibility'];
export type Avoidable = client.ListedValues['avoid'];
export type LicenseCondition = Exclude<client.ListedValues['license'], 'any'>;
export type Crop = client.ListedValues['crop'];
export type Label = client.ListedValues['label'];

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

/** The widths of `srcset` in a record, in pixels. */
export const usualWidthsPx = [480, 640, 828, 1080, 1280, 1920, 2560, 3840] as const;
export const variationBounds = { min: 1, max: listedValues.variation.length } as const;
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
  imagesMax: client.batchImagesMax,
  bytesMax: 65_536,
  excludedMax: client.batchExcludedMax,
  pageSlotCharactersMax: 64,
} as const;

/** The bounds of an HTML page that is filled in one call. `bytesMax` bounds the request's body. */
export const pageBounds = {
  imagesMax: client.batchImagesMax,
  bytesMax: 1_048_576,
  /** Longest response in bytes. Lambda takes 6 MB. */
  answerBytesMax: 5_000_000,
} as const;

export const keyBounds = {
  nameCharactersMax: 64,
  originsMax: 20,
  /** Most active credentials that an owner can make; requests at the same time may pass it. The CLI has no bound. */
  activeMax: 50,
} as const;
