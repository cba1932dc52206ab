/** Finds the images of a text in few calls. An image is shown twice only if no other one fits its words. */

import { type Batch, type BatchImage, type fetchBatch, isProblem } from '../fetch-records';
import { findNearestSize } from '../image-size';
import type { ImageSpec } from '../image-url';
import type { ListedValues, Problem } from '../service';
import { batchExcludedMax, batchImagesMax } from '../service';
import { type FoundImage, findLeftReason, isToBeFound, type WantedImage } from './fill';

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

/** An image of the service that a text shows already. `words`: what it was filled for; empty if not known. */
export type ShownImage = readonly [pick: string, words: string];

/** What the calls have found so far for each image. `repeatedPick`: no other image fits the words. */
type ImageSearches = Map<WantedImage, { found?: FoundImage; repeatedPick?: string }>;

/**
 * Finds the images of places in as many calls as they take. Returns the places with what was found for each.
 * @throws what `find` throws before it has found an image; later errors end the calls
 */
export async function findAllImages<Place extends { readonly image?: WantedImage | undefined }>(
  places: readonly Place[],
  shownBefore: readonly ShownImage[],
  find: FindImages,
  options: FillOptions,
): Promise<readonly (Place & { readonly found: FoundImage })[]> {
  const images = places.flatMap(({ image }) => (image && isToBeFound(image) ? [image] : []));
  const searches: ImageSearches = new Map(images.map((image) => [image, {}]));
  const shownImages = [...shownBefore];
  let refusal: Problem | undefined;
  while (!refusal) {
    const foundCount = [...searches.values()].filter(({ found }) => found?.record).length;
    const batch = chooseBatch(searches, foundCount, options);
    if (batch.size === 0) break;
    const specs = [...batch.values()];
    const requestedPicks = new Set(specs.map(({ pick }) => pick));
    const exclude = shownImages.flatMap(([pick]) => (requestedPicks.has(pick) ? [] : [pick]));
    const call = find({ exclude: exclude.slice(-batchExcludedMax), images: specs });
    const answers = await call.catch((error) => {
      if (foundCount === 0) throw error;
    });
    if (!answers) break;
    noteAnswers(searches, shownImages, batch, answers);
    const problems = [...batch.keys()].map((image) => searches.get(image)?.found?.problem);
    if (problems.every((problem) => findLeftReason(problem?.code) === 'quota_exceeded')) [refusal] = problems;
  }
  const findAnswer = (image?: WantedImage | string) =>
    typeof image === 'object' ? searches.get(image)?.found : undefined;
  return places.map((place) => {
    // The service would have refused the images that it was not asked for as well.
    const problem = findAnswer(place.image?.sameAs)?.problem ?? refusal;
    return { ...place, found: findAnswer(place.image) ?? { problem } };
  });
}

/** Chooses the images of the next call. A call has each pick once, so the next image with that pick waits. */
function chooseBatch(searches: ImageSearches, foundCount: number, options: FillOptions) {
  const countMax = Math.min(batchImagesMax, (options.imagesMax ?? Infinity) - foundCount);
  const batch = new Map<WantedImage, BatchImage>();
  const picks = new Set<string>();
  for (const [image, { found, repeatedPick }] of searches) {
    const { sameAs } = image;
    const samePick = typeof sameAs === 'object' ? searches.get(sameAs)?.found?.record?.pick : sameAs;
    const pick = repeatedPick ?? samePick ?? undefined;
    // The other shapes of an image wait until the image is found.
    const waitsForImage = typeof sameAs === 'object' && !pick;
    if (found || waitsForImage || (pick && picks.has(pick)) || batch.size >= countMax) continue;
    batch.set(image, { slot: `image ${batch.size + 1}`, ...makeSpec(image, pick, options) });
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

/** Notes the answers to a batch. If no other image fits some words, the images shown for them are repeated. */
function noteAnswers(
  searches: ImageSearches,
  shownImages: ShownImage[],
  batch: ReadonlyMap<WantedImage, BatchImage>,
  answers: Awaited<ReturnType<typeof fetchBatch>>,
): void {
  const endedWords = new Map<string, Problem>();
  for (const [image, { slot, pick }] of batch) {
    const answer = answers[slot];
    const isRepeated = searches.get(image)?.repeatedPick !== undefined;
    if (answer && !isProblem(answer)) {
      searches.set(image, { found: { record: answer, isRepeated } });
      if (pick === undefined && answer.pick !== null) shownImages.push([answer.pick, image.words]);
    } else if (answer && pick === undefined && findLeftReason(answer.code) === 'no_image_found')
      endedWords.set(image.words.toLowerCase(), answer);
    else searches.set(image, { found: { problem: answer } });
  }
  for (const [words, problem] of endedWords) {
    const isAlike = (otherWords: string) => otherWords.toLowerCase() === words;
    const picks = shownImages.flatMap(([pick, shownWords]) => (isAlike(shownWords) ? [pick] : []));
    const openImages = [...searches].flatMap(([image, { found }]) => (found || image.sameAs ? [] : [image]));
    for (const [index, image] of openImages.filter((open) => isAlike(open.words)).entries()) {
      const repeatedPick = picks[index % picks.length];
      searches.set(image, repeatedPick === undefined ? { found: { problem } } : { repeatedPick });
    }
  }
}
