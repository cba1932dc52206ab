/** Finds the images of a text in few calls. An image is shown twice only if no other one fits its words. */

import { type Batch, type BatchImage, type fetchBatch, isProblem } from '../fetch-records';
import { findNearestSize, type Size } from '../image-size';
import type { ImageSpec } from '../image-url';
import type { ImageRecord, ListedValues, Problem } from '../service';
import { batchExcludedMax, batchImagesMax } from '../service';

/** Asks for images in one call, as `fetchBatch` does. `undefined` ends the calls. */
export type FindImages = (batch: Batch) => Promise<Awaited<ReturnType<typeof fetchBatch>> | undefined>;

export interface FillOptions extends Partial<Pick<ListedValues, 'style' | 'onmiss'>> {
  /** Language of the words as a BCP 47 tag. By default it is the language of the page. */
  readonly lang?: string;
  /** The number of images after which no more are found; by default there is no limit. */
  readonly imagesMax?: number;
  /** Replaces photos of Unsplash, Pexels and Pixabay too, although they may be real; `false` by default. */
  readonly replaceStock?: boolean;
  /** Returns true if a URL answers 404 or 410. Without this function no URL is loaded. */
  readonly isGone?: (url: string) => Promise<boolean>;
}

/** An image that a text is to show, with its size in CSS pixels. Places that show the same image share one. */
export interface WantedImage extends Size {
  /** What it should show; empty if the page does not say it. */
  readonly words: string;
  readonly lang?: string | undefined;
  /** The name of a person or company. Its initials are drawn in place of a photo. */
  readonly name?: string | undefined;
  /** The data URI of a drawing. An image without words and without a drawing is left. */
  readonly drawing?: string | undefined;
  /** Another image of the page, or a pick. That image is shown here too, perhaps in another shape. */
  sameAs?: WantedImage | string | undefined;
  /** True if another place shows the image too, because no other one fits the words. */
  isRepeated?: boolean;
  /** What `findAllImages` has found. Both are absent if the service was not asked; a further call can ask it. */
  result?: { readonly record?: ImageRecord; readonly problem?: Problem | undefined };
}

/** An image of the service that a text shows already. `words`: what it was filled for; empty if not known. */
export type ShownImage = readonly [pick: string, words: string];

/** Returns true if the service has to find an image: it is not drawn, and there are words for it. */
export const isToBeFound = ({ words, drawing }: WantedImage) => words !== '' && drawing === undefined;

/** Returns the reason to report for the code of a problem; `undefined` for a fault of the service. */
export function findLeftReason(code = '') {
  if (/^(?:no_image_found|duplicate_image|content_refused)$/.test(code)) return 'no_image_found';
  if (/^(?:quota_exceeded|rate_limited)$/.test(code)) return 'quota_exceeded';
  return code === 'generation_in_progress' ? code : undefined;
}

/**
 * Finds the images of places in as many calls as they take, and notes the result in each image.
 * @throws what `find` throws before it has found an image; later errors end the calls
 */
export async function findAllImages(
  places: readonly { readonly image?: WantedImage | undefined }[],
  shownBefore: readonly ShownImage[],
  find: FindImages,
  options: FillOptions,
): Promise<void> {
  const images = [...new Set(places.flatMap(({ image }) => (image && isToBeFound(image) ? [image] : [])))];
  const shownImages = [...shownBefore];
  let refusal: Problem | undefined;
  while (!refusal) {
    const foundCount = images.filter(({ result }) => result?.record).length;
    const batch = chooseBatch(images, foundCount, options);
    if (batch.size === 0) break;
    const specs = [...batch.values()];
    const shownPicks = shownImages.map(([pick]) => pick);
    const exclude = shownPicks.filter((pick) => !specs.some((spec) => spec.pick === pick));
    const call = find({ exclude: exclude.slice(-batchExcludedMax), images: specs });
    const answers = await call.catch((error) => {
      if (foundCount === 0) throw error;
    });
    if (!answers) break;
    noteAnswers(images, shownImages, batch, answers);
    const problems = [...batch.keys()].map(({ result }) => result?.problem);
    if (problems.every((problem) => findLeftReason(problem?.code) === 'quota_exceeded')) [refusal] = problems;
  }
  // The service would have refused the other images as well.
  for (const image of images) {
    const original = typeof image.sameAs === 'object' ? image.sameAs.result : undefined;
    image.result ??= { problem: original?.problem ?? refusal };
  }
}

/** Chooses the images of the next call. A call has each pick once, so the next image with that pick waits. */
function chooseBatch(images: readonly WantedImage[], foundCount: number, options: FillOptions) {
  const countMax = Math.min(batchImagesMax, (options.imagesMax ?? Infinity) - foundCount);
  const batch = new Map<WantedImage, BatchImage>();
  const picks = new Set<string>();
  for (const image of images.filter(({ result }) => !result)) {
    const { sameAs } = image;
    const pick = typeof sameAs === 'object' ? sameAs.result?.record?.pick : sameAs;
    // The other shapes of an image wait until the image is found.
    const waitsForImage = typeof sameAs === 'object' && !pick;
    if (waitsForImage || (pick && picks.has(pick)) || batch.size >= countMax) continue;
    batch.set(image, { slot: `image ${batch.size + 1}`, ...makeSpec(image, pick ?? undefined, options) });
    if (pick) picks.add(pick);
  }
  return batch;
}

function makeSpec(image: WantedImage, pick: string | undefined, options: FillOptions): ImageSpec {
  const { style, onmiss, lang = image.lang } = options;
  const { words: query, widthPx, heightPx } = image;
  // Ratios go from 1:40 to 40:1.
  const ratio = {
    widthPx: Math.max(widthPx, Math.ceil(heightPx / 40)),
    heightPx: Math.max(heightPx, Math.ceil(widthPx / 40)),
  };
  // A small image is requested in a size that is sharp on dense screens.
  const size = findNearestSize(Math.max(widthPx, Math.min(2 * widthPx, 256)), ratio);
  return {
    query,
    width: size.widthPx,
    height: size.heightPx,
    ...(pick !== undefined && { pick }),
    ...(style && { style }),
    ...(onmiss && pick === undefined && { onmiss }),
    ...(lang && { lang }),
  };
}

/** Notes the results of a batch. If no other image fits some words, the images shown for them are repeated. */
function noteAnswers(
  images: readonly WantedImage[],
  shownImages: ShownImage[],
  batch: ReadonlyMap<WantedImage, BatchImage>,
  answers: Awaited<ReturnType<typeof fetchBatch>>,
): void {
  const endedWords = new Map<string, Problem>();
  for (const [image, { slot, pick }] of batch) {
    const answer = answers[slot];
    if (answer && !isProblem(answer)) {
      image.result = { record: answer };
      if (pick === undefined && answer.pick !== null) shownImages.push([answer.pick, image.words]);
    } else if (answer && pick === undefined && findLeftReason(answer.code) === 'no_image_found')
      endedWords.set(image.words.toLowerCase(), answer);
    else image.result = { problem: answer };
  }
  for (const [words, problem] of endedWords) {
    const alikeImages = shownImages.filter(([, shownWords]) => shownWords.toLowerCase() === words);
    const openImages = images.filter((image) => !image.result && !image.sameAs);
    const repeatedImages = openImages.filter((image) => image.words.toLowerCase() === words);
    for (const [index, image] of repeatedImages.entries()) {
      const [pick] = alikeImages[index % alikeImages.length] ?? [];
      if (pick === undefined) image.result = { problem };
      else [image.sameAs, image.isRepeated] = [pick, true];
    }
  }
}
