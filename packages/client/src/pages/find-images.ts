/** Finds the images of a text in few calls, and none twice while another one fits the words. */

import { type Batch, type BatchImage, isProblem } from '../fetch-records';
import { type ImageSpec, nearestSize, type Size } from '../image-url';
import { batchExcludedMax, batchImagesMax, type Choices, type ImageRecord, type Problem } from '../service';

/** One call for images, which answers as `fetchBatch` does. */
export type FindImages = (batch: Batch) => Promise<Readonly<Record<string, ImageRecord | Problem>>>;

/** The options of finding: which images, and how many. */
export interface FindOptions extends Partial<Pick<Choices, 'style' | 'onmiss'>> {
  /** Language of the words as a BCP 47 tag; the page's own by default. */
  readonly lang?: string;
  /** Most images that are filled in this call, the first of the page; by default all. */
  readonly imagesMax?: number;
  /** Whether no further call may begin. */
  readonly isOver?: () => boolean;
}

/** An image to be filled in, with its size in CSS pixels. Places that show the same image share one. */
export interface Image extends Size {
  /** Empty where nothing is said. */
  readonly words: string;
  readonly lang?: string | undefined;
  /** Name of a person, whose initials stand for the image. */
  readonly name?: string | undefined;
  /** The URL of what is drawn in its place; an image without words is left where nothing is. */
  readonly drawn?: string | undefined;
  /** The image that it shows once more or in another shape: one of the page, or by its pick. */
  readonly sameAs?: Image | string | undefined;
}

/** A found image, or why there is none; neither where nobody was asked, so that the next call goes on. */
export interface ImageResult {
  readonly record?: ImageRecord;
  readonly problem?: Problem | undefined;
  /** Whether another place shows it too, since its words have no further image. */
  readonly isRepeated?: boolean;
}

/** The results of a text's images, those of places without one absent. */
export type ImageResults = ReadonlyMap<Image | undefined, ImageResult>;

/** An image of the service that a text shows, and the words for which it was filled in; empty for any. */
export type ShownImage = readonly [pick: string, words: string];

/** Says why an image is left for a problem with this code; `undefined` for a fault of the service. */
export function leftFor(code = '') {
  if (/^(?:no_image_found|duplicate_image|content_refused)$/.test(code)) return 'no_image_found';
  if (/^(?:quota_exceeded|rate_limited)$/.test(code)) return 'quota_exceeded';
  return code === 'generation_in_progress' ? code : undefined;
}

/** The state of a search, which takes several calls. */
interface Search {
  readonly images: readonly Image[];
  readonly results: Map<Image | undefined, ImageResult>;
  /** The images that the text shows and those that were found for it. */
  readonly shown: ShownImage[];
  /** The picks of shown images for those whose words have no further one. */
  readonly repeatedPicks: Map<Image, string>;
}

const waitingImages = ({ images, results }: Search) => images.filter((image) => !results.has(image));

/** The images of one call, and what is asked for each. */
type ImageBatch = ReadonlyMap<Image, BatchImage>;

/** @throws as the first call does; a fault of a later call leaves the images that are found */
export async function findAllImages(
  images: readonly Image[],
  shown: readonly ShownImage[],
  find: FindImages,
  options: FindOptions,
): Promise<ImageResults> {
  const { imagesMax = Infinity, isOver = () => false } = options;
  const search: Search = { images, results: new Map(), shown: [...shown], repeatedPicks: new Map() };
  let foundCount = 0;
  let refusal: Problem | undefined;
  while (foundCount < imagesMax && !refusal && !isOver()) {
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
  for (const image of waitingImages(search)) {
    const same = typeof image.sameAs === 'object' ? search.results.get(image.sameAs) : undefined;
    search.results.set(image, { problem: same?.problem ?? refusal });
  }
  return search.results;
}

/** The next images to ask for. A call shows no image twice, so the second with a pick waits for the next. */
function nextBatch(search: Search, countMax: number, options: FindOptions): ImageBatch {
  const batch = new Map<Image, BatchImage>();
  const picks = new Set<string>();
  for (const image of waitingImages(search)) {
    const { sameAs = search.repeatedPicks.get(image) } = image;
    const pick = typeof sameAs === 'object' ? search.results.get(sameAs)?.record?.pick : sameAs;
    // The other shapes of an image wait until it is found.
    const isEarly = typeof sameAs === 'object' && !pick;
    if (isEarly || (pick && picks.has(pick)) || batch.size === countMax) continue;
    batch.set(image, { slot: `image ${batch.size + 1}`, ...requestFor(image, pick ?? undefined, options) });
    if (pick) picks.add(pick);
  }
  return batch;
}

function requestFor(image: Image, pick: string | undefined, options: FindOptions): ImageSpec {
  const { style, onmiss, lang = image.lang } = options;
  const { words: query, width, height } = image;
  return {
    query,
    // Ratios go from 1:40 to 40:1. A small image is requested in a size that is sharp on dense screens.
    ...nearestSize(Math.max(width, Math.min(2 * width, 256)), {
      width: Math.max(width, Math.ceil(height / 40)),
      height: Math.max(height, Math.ceil(width / 40)),
    }),
    ...(pick !== undefined && { pick }),
    ...(style && { style }),
    ...(onmiss && pick === undefined && { onmiss }),
    ...(lang && { lang }),
  };
}

/** Notes the answers to a batch. Where words have no further image, those shown for them are repeated. */
function noteAnswers(search: Search, batch: ImageBatch, answers: Awaited<ReturnType<FindImages>>): void {
  const endedWords = new Map<string, Problem>();
  for (const [image, { slot, pick }] of batch) {
    const answer = answers[slot];
    const problem = answer && isProblem(answer) ? answer : undefined;
    if (problem && pick === undefined && leftFor(problem.code) === 'no_image_found')
      endedWords.set(image.words.toLowerCase(), problem);
    else if (!answer || isProblem(answer)) search.results.set(image, { problem });
    else {
      search.results.set(image, { record: answer, isRepeated: search.repeatedPicks.has(image) });
      if (pick === undefined && answer.pick !== null) search.shown.push([answer.pick, image.words]);
    }
  }
  for (const [words, problem] of endedWords) repeatShown(search, words, problem);
}

/** Lets the waiting images of some words repeat those that the text shows; without any, they have none. */
function repeatShown(search: Search, words: string, problem: Problem): void {
  const isOfWords = (text: string) => text.toLowerCase() === words;
  const picks = search.shown.filter(([, shownWords]) => isOfWords(shownWords)).map(([pick]) => pick);
  const images = waitingImages(search).filter((image) => !image.sameAs && isOfWords(image.words));
  for (const [index, image] of images.entries()) {
    const pick = picks[index % picks.length];
    if (pick === undefined) search.results.set(image, { problem });
    else search.repeatedPicks.set(image, pick);
  }
}
