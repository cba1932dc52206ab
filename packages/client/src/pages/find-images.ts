/** Finds the images of a text in few calls, and none twice while another one fits the words. */

import { type Batch, type BatchImage, type fetchBatch, isProblem } from '../fetch-records';
import { nearestSize, type Size } from '../image-size';
import type { ImageSpec } from '../image-url';
import type { ImageRecord, ListedValues, Problem } from '../service';
import { batchExcludedMax, batchImagesMax } from '../service';

type Answers = Awaited<ReturnType<typeof fetchBatch>>;
/** Asks for images in one call, as `fetchBatch` does; `undefined` ends the calls. */
export type FindImages = (batch: Batch) => Promise<Readonly<Answers> | undefined>;

/** Options of finding: which images, and how many. */
export interface FindOptions extends Partial<Pick<ListedValues, 'style' | 'onmiss'>> {
  /** Language of the words as a BCP 47 tag; the page's own by default. */
  readonly lang?: string;
  /** Most images to find, the first of the page; by default all. */
  readonly imagesMax?: number;
}

/** An image to be filled in; its size in CSS pixels. Places that show the same image share one. */
export interface Image extends Size {
  /** Empty where nothing is said. */
  readonly words: string;
  readonly lang?: string | undefined;
  /** Name of a person or company, whose initials stand for the image. */
  readonly name?: string | undefined;
  /** The URL of a drawing in its place. Without words and without it, the image is left. */
  readonly drawing?: string | undefined;
  /** The image that it shows once more or in another shape: one of the page, or by its pick. */
  readonly sameAs?: Image | string | undefined;
}

/** A found image, or why none was found; neither where the service was not asked, as for a next call. */
export interface ImageResult {
  readonly record?: ImageRecord;
  readonly problem?: Problem | undefined;
  /** Whether another place shows it too, since its words have no further image. */
  readonly isRepeated?: boolean;
}

/** The results of a text's images, those of places without one absent. */
export type ImageResults = ReadonlyMap<Image | undefined, ImageResult>;

/** An image of the service that a text shows, and the words for which it was filled in, if they are known. */
export type ShownImage = readonly [pick: string, words: string];

/** Says why an image is left for a problem with this code; `undefined` for a fault of the service. */
export function leftFor(code = '') {
  if (/^(?:no_image_found|duplicate_image|content_refused)$/.test(code)) return 'no_image_found';
  if (/^(?:quota_exceeded|rate_limited)$/.test(code)) return 'quota_exceeded';
  return code === 'generation_in_progress' ? code : undefined;
}

/** The state of a search, which takes several calls. */
interface Search {
  /** What each image shows once more. */
  readonly sameAs: Map<Image, Image['sameAs']>;
  readonly results: Map<Image | undefined, ImageResult>;
  /** The images that the text shows and those that were found for it. */
  readonly shown: ShownImage[];
}

/** Lists the images without a result, with what each shows once more. */
const waitingImages = ({ sameAs, results }: Search) => [...sameAs].filter(([image]) => !results.has(image));

/** Finds images in several calls. @throws as `find` in the first; a later fault leaves what is found */
export async function findAllImages(
  images: readonly Image[],
  shown: readonly ShownImage[],
  find: FindImages,
  options: FindOptions,
): Promise<ImageResults> {
  const { imagesMax = Infinity } = options;
  const sameAs = new Map(images.map((image) => [image, image.sameAs]));
  const search: Search = { sameAs, results: new Map(), shown: [...shown] };
  let foundCount = 0;
  let refusal: Problem | undefined;
  while (foundCount < imagesMax && !refusal) {
    const batch = nextBatch(search, Math.min(batchImagesMax, imagesMax - foundCount), options);
    if (batch.size === 0) break;
    const picks = [...batch.values()].map(({ pick }) => pick);
    const exclude = search.shown.map(([pick]) => pick).filter((pick) => !picks.includes(pick));
    const call = { exclude: exclude.slice(-batchExcludedMax), images: [...batch.values()] };
    const answers = await find(call).catch((error) => {
      if (foundCount === 0) throw error;
    });
    if (!answers) break;
    noteAnswers(search, batch, answers);
    const results = [...batch.keys()].map((image) => search.results.get(image));
    foundCount += results.filter((result) => result?.record).length;
    if (results.every((result) => leftFor(result?.problem?.code) === 'quota_exceeded'))
      refusal = results[0]?.problem;
  }
  // The images that were not asked for would have been refused as well.
  for (const [image, same] of waitingImages(search)) {
    const problem = typeof same === 'object' ? search.results.get(same)?.problem : undefined;
    search.results.set(image, { problem: problem ?? refusal });
  }
  return search.results;
}

/** Takes the next images to ask for. A call shows no image twice, so the second with a pick waits. */
function nextBatch(search: Search, countMax: number, options: FindOptions) {
  const batch = new Map<Image, BatchImage>();
  const picks = new Set<string>();
  for (const [image, sameAs] of waitingImages(search)) {
    const pick = typeof sameAs === 'object' ? search.results.get(sameAs)?.record?.pick : sameAs;
    // The other shapes of an image wait until it is found.
    const waitsForImage = typeof sameAs === 'object' && !pick;
    if (waitsForImage || (pick && picks.has(pick)) || batch.size === countMax) continue;
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

type ImageBatch = ReturnType<typeof nextBatch>;

/** Notes the answers to a batch. Where words have no further image, those shown for them are repeated. */
function noteAnswers(search: Search, batch: ImageBatch, answers: Readonly<Answers>): void {
  const { sameAs, results, shown } = search;
  const endedWords = new Map<string, Problem>();
  for (const [image, { slot, pick }] of batch) {
    const answer = answers[slot];
    if (answer && !isProblem(answer)) {
      results.set(image, { record: answer, isRepeated: sameAs.get(image) !== image.sameAs });
      if (pick === undefined && answer.pick !== null) shown.push([answer.pick, image.words]);
    } else if (answer && pick === undefined && leftFor(answer.code) === 'no_image_found')
      endedWords.set(image.words.toLowerCase(), answer);
    else results.set(image, { problem: answer });
  }
  for (const [words, problem] of endedWords) repeatShown(search, words, problem);
}

/** Lets the waiting images of some words repeat those that the text shows; without any, they have none. */
function repeatShown(search: Search, words: string, problem: Problem): void {
  const isOfWords = (text: string) => text.toLowerCase() === words;
  const picks = search.shown.filter(([, shownWords]) => isOfWords(shownWords)).map(([pick]) => pick);
  const images = waitingImages(search).filter(([image]) => !image.sameAs && isOfWords(image.words));
  for (const [index, [image]] of images.entries()) {
    const pick = picks[index % picks.length];
    if (pick === undefined) search.results.set(image, { problem });
    else search.sameAs.set(image, pick);
  }
}
