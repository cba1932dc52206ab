/** Finds the images of a text in few calls. An image is shown twice only if no other one fits its words. */

import { type Batch, type BatchImage, type fetchBatch, isProblem } from '../fetch-records';
import { nearestSize, type Size } from '../image-size';
import type { ImageSpec } from '../image-url';
import type { ImageRecord, ListedValues, Problem } from '../service';
import { batchExcludedMax, batchImagesMax } from '../service';

type Answers = Awaited<ReturnType<typeof fetchBatch>>;
/** Asks for images in one call, as `fetchBatch` does. No call follows after `undefined`. */
export type FindImages = (batch: Batch) => Promise<Readonly<Answers> | undefined>;

export interface FindOptions extends Partial<Pick<ListedValues, 'style' | 'onmiss'>> {
  /** Language of the words as a BCP 47 tag. By default it is the language of the page. */
  readonly lang?: string;
  /** The number of images after which no more are found; by default there is no limit. */
  readonly imagesMax?: number;
}

/** An image to find or draw, with its size in CSS pixels. Places that show the same image share one. */
export interface Image extends Size {
  /** What it should show; empty if the page does not say it. */
  readonly words: string;
  readonly lang?: string | undefined;
  /** The name of a person or company. Its initials are drawn in place of a photo. */
  readonly name?: string | undefined;
  /** The data URI of a drawing. An image without words and without a drawing is left. */
  readonly drawing?: string | undefined;
  /** Another image of the page, or a pick. The same image is shown again, perhaps in another shape. */
  readonly sameAs?: Image | string | undefined;
}

/** A found image, or the problem. Both are absent if the service was not asked; a further call can ask it. */
export interface ImageResult {
  readonly record?: ImageRecord;
  readonly problem?: Problem | undefined;
  /** True if another place shows the image too, because no other one fits the words. */
  readonly isRepeated?: boolean;
}

/** Results by image. A place that is kept has no image, so its result is `undefined`. */
export type ImageResults = ReadonlyMap<Image | undefined, ImageResult>;

/** An image of the service that a text shows already. `words`: what it was filled for; empty if not known. */
export type ShownImage = readonly [pick: string, words: string];

/** Returns the reason to report for the code of a problem; `undefined` for a fault of the service. */
export function findLeftReason(code = '') {
  if (/^(?:no_image_found|duplicate_image|content_refused)$/.test(code)) return 'no_image_found';
  if (/^(?:quota_exceeded|rate_limited)$/.test(code)) return 'quota_exceeded';
  return code === 'generation_in_progress' ? code : undefined;
}

interface Search {
  /** The image or pick that an image repeats; `undefined` for an image of its own. */
  readonly sameAs: Map<Image, Image['sameAs']>;
  readonly results: Map<Image | undefined, ImageResult>;
  /** The images that the text has shown before, and those that were found for it. */
  readonly shown: ShownImage[];
}

const listWaiting = ({ sameAs, results }: Search) => [...sameAs].filter(([image]) => !results.has(image));

/**
 * Finds images in as many calls as they take.
 * @throws as `find` in the first call; a later fault ends the calls, and the images found so far are returned
 */
export async function findAllImages(
  images: readonly Image[],
  shown: readonly ShownImage[],
  find: FindImages,
  options: FindOptions,
): Promise<ImageResults> {
  const sameAs = new Map(images.map((image) => [image, image.sameAs]));
  const search: Search = { sameAs, results: new Map(), shown: [...shown] };
  let refusal: Problem | undefined;
  while (!refusal) {
    const batch = chooseBatch(search, options);
    const answers = batch.size > 0 ? await findBatch(search, batch, find) : undefined;
    if (!answers) break;
    noteAnswers(search, batch, answers);
    const problems = [...batch.keys()].map((image) => search.results.get(image)?.problem);
    if (problems.every((problem) => findLeftReason(problem?.code) === 'quota_exceeded')) [refusal] = problems;
  }
  // The images that were not asked for would have been refused as well.
  for (const [image, same] of listWaiting(search)) {
    const problem = typeof same === 'object' ? search.results.get(same)?.problem : undefined;
    search.results.set(image, { problem: problem ?? refusal });
  }
  return search.results;
}

const countFound = ({ results }: Search) => [...results.values()].filter(({ record }) => record).length;

/** Asks for a batch, without the images that the text shows. @returns `undefined` if no call is to follow */
async function findBatch(search: Search, batch: ImageBatch, find: FindImages) {
  const images = [...batch.values()];
  const picks = images.map(({ pick }) => pick);
  const exclude = search.shown.map(([pick]) => pick).filter((pick) => !picks.includes(pick));
  return find({ exclude: exclude.slice(-batchExcludedMax), images }).catch((error) => {
    if (countFound(search) === 0) throw error;
  });
}

/** Chooses the images of the next call. A call has each pick once, so the next image with that pick waits. */
function chooseBatch(search: Search, options: FindOptions) {
  const { imagesMax = Infinity } = options;
  const countMax = Math.min(batchImagesMax, imagesMax - countFound(search));
  const batch = new Map<Image, BatchImage>();
  const picks = new Set<string>();
  for (const [image, sameAs] of listWaiting(search)) {
    const pick = typeof sameAs === 'object' ? search.results.get(sameAs)?.record?.pick : sameAs;
    // The other shapes of an image wait until the image is found.
    const waitsForImage = typeof sameAs === 'object' && !pick;
    if (waitsForImage || (pick && picks.has(pick)) || batch.size >= countMax) continue;
    batch.set(image, { slot: `image ${batch.size + 1}`, ...makeSpec(image, pick ?? undefined, options) });
    if (pick) picks.add(pick);
  }
  return batch;
}

function makeSpec(image: Image, pick: string | undefined, options: FindOptions): ImageSpec {
  const { style, onmiss, lang = image.lang } = options;
  const { words: query, widthPx, heightPx } = image;
  // Ratios go from 1:40 to 40:1.
  const ratio = {
    widthPx: Math.max(widthPx, Math.ceil(heightPx / 40)),
    heightPx: Math.max(heightPx, Math.ceil(widthPx / 40)),
  };
  // A small image is requested in a size that is sharp on dense screens.
  const size = nearestSize(Math.max(widthPx, Math.min(2 * widthPx, 256)), ratio);
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

type ImageBatch = ReturnType<typeof chooseBatch>;

/** Notes the results of a batch. If no other image fits some words, the images shown for them are repeated. */
function noteAnswers(search: Search, batch: ImageBatch, answers: Readonly<Answers>): void {
  const { sameAs, results, shown } = search;
  const endedWords = new Map<string, Problem>();
  for (const [image, { slot, pick }] of batch) {
    const answer = answers[slot];
    if (answer && !isProblem(answer)) {
      results.set(image, { record: answer, isRepeated: sameAs.get(image) !== image.sameAs });
      if (pick === undefined && answer.pick !== null) shown.push([answer.pick, image.words]);
    } else if (answer && pick === undefined && findLeftReason(answer.code) === 'no_image_found')
      endedWords.set(image.words.toLowerCase(), answer);
    else results.set(image, { problem: answer });
  }
  for (const [words, problem] of endedWords) repeatShown(search, words, problem);
}

/** Lets waiting images repeat what the text shows for their words. If it shows nothing, they get the problem. */
function repeatShown(search: Search, words: string, problem: Problem): void {
  const isOfWords = (text: string) => text.toLowerCase() === words;
  const picks = search.shown.filter(([, shownWords]) => isOfWords(shownWords)).map(([pick]) => pick);
  const images = listWaiting(search).filter(([image]) => !image.sameAs && isOfWords(image.words));
  for (const [index, [image]] of images.entries()) {
    const pick = picks[index % picks.length];
    if (pick === undefined) search.results.set(image, { problem });
    else search.sameAs.set(image, pick);
  }
}
