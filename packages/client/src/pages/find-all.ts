/** Finds the images of a page or a file, as few calls as it takes and none twice. */

import { type Batch, type BatchImage, isProblem } from '../fetch-records';
import { nearestSize, type Size } from '../image-url';
import {
  batchExcludedMax,
  batchImagesMax,
  type Choices,
  type FilledImage,
  type ImageRecord,
  type Problem,
} from '../service';

/** One call for images; answers as `fetchBatch` does. */
export type FindImages = (batch: Batch) => Promise<Readonly<Record<string, ImageRecord | Problem>>>;

/** Which images are filled, and with what. */
export interface FillOptions {
  /** Replaces every photo of Unsplash, Pexels and Pixabay, not only those that cannot be real; `false` by default. */
  readonly replaceStock?: boolean;
  /** Whether a URL is gone: it answered 404 or 410. Without it no URL is loaded. */
  readonly isGone?: (url: string) => Promise<boolean>;
  readonly style?: Choices['style'];
  readonly onmiss?: Choices['onmiss'];
  /** BCP 47; the page's own by default. */
  readonly lang?: string;
  /** Most images that are filled in this call, the first of the page; by default all. */
  readonly imagesMax?: number;
  /** Whether no further call may begin. */
  readonly isOver?: () => boolean;
  /**
   * Called with the report before anything is asked for.
   * @param growthMax the most bytes by which the page becomes longer
   * @throws to refuse the page
   */
  readonly beforeFinding?: (growthMax: number, report: readonly FilledImage[]) => void;
}

/** An image that is to be found, in its size on the page. */
export interface ImageWish extends Size {
  readonly words: string;
  readonly lang?: string | undefined;
  /** The image that is shown in another shape: of another wish, or by its pick. */
  readonly of?: ImageWish | string;
}

/** What a wish has come to: a record, a problem, or neither where it is for the next call. */
export interface FoundImage {
  readonly record?: ImageRecord;
  readonly problem?: Problem;
  /** Whether another place shows it too, since its words have no further image. */
  readonly isRepeated?: boolean;
}

/** What the page shows already. */
export interface ShownImages {
  readonly picks: readonly string[];
  /** By words in lower case. */
  readonly byWords: ReadonlyMap<string, readonly string[]>;
}

/** Why an image is left that is answered by a problem with this code; `undefined` for those that say nothing of it. */
export function leftFor(code = ''): FilledImage['reason'] | undefined {
  if (/^(?:no_image_found|duplicate_image|content_refused)$/.test(code)) return 'no_image_found';
  if (/^(?:quota_exceeded|rate_limited)$/.test(code)) return 'quota_exceeded';
  return code === 'generation_in_progress' ? code : undefined;
}
const isNone = (found?: FoundImage) => leftFor(found?.problem?.code) === 'no_image_found';
const isSpent = (found?: FoundImage) => leftFor(found?.problem?.code) === 'quota_exceeded';

/** @throws as the first call does; what goes wrong later leaves the images that are found */
export async function findAll(
  wishes: readonly ImageWish[],
  find: FindImages,
  options: FillOptions,
  { picks, byWords }: ShownImages,
): Promise<ReadonlyMap<ImageWish, FoundImage>> {
  const { imagesMax = Infinity, isOver = () => false } = options;
  const found = new Map<ImageWish, FoundImage>();
  const excluded = new Set(picks);
  /** The images of some words, in the order in which they are shown once more. */
  const shown = new Map([...byWords].map(([words, of]) => [words, [...of]]));
  /** Words that have no further image have none at another place. */
  const none = new Map<string, FoundImage>();
  let [waiting, filled, isEnded] = [[...wishes], 0, false];
  while (waiting.length > 0 && filled < imagesMax && !isEnded && !isOver()) {
    // No image twice in one call; an image in another shape is asked for when it is known which one.
    const batch: (readonly [wish: ImageWish, pick: string | undefined])[] = [];
    const named = new Set<string>();
    const later: ImageWish[] = [];
    for (const wish of waiting) {
      const words = wish.words.toLowerCase();
      const ended = wish.of === undefined ? none.get(words) : undefined;
      const again = ended && (shown.get(words) ?? []);
      const of = typeof wish.of === 'object' ? found.get(wish.of)?.record?.pick : wish.of;
      const pick = again?.[0] ?? of ?? undefined;
      const isReady = pick === undefined ? wish.of === undefined : !named.has(pick);
      if (ended && pick === undefined) found.set(wish, ended);
      else if (!isReady || batch.length >= Math.min(batchImagesMax, imagesMax - filled)) later.push(wish);
      else {
        batch.push([wish, pick]);
        if (pick !== undefined) named.add(pick);
        again?.push(again.shift() as string);
      }
    }
    if (batch.length === 0) break;
    const exclude = [...excluded].filter((pick) => !named.has(pick)).slice(-batchExcludedMax);
    const images = batch.map(([wish, pick], index) => imageOf(`image ${index + 1}`, wish, pick, options));
    const answers = await find({ ...(exclude.length > 0 && { exclude }), images }).catch((error) => {
      if (filled === 0) throw error;
      isEnded = true;
      return {} as Awaited<ReturnType<FindImages>>;
    });
    const repeated: ImageWish[] = [];
    for (const [index, [wish, pick]] of batch.entries()) {
      const answer = answers[`image ${index + 1}`];
      const words = wish.words.toLowerCase();
      if (!answer) continue;
      const image = isProblem(answer)
        ? { problem: answer }
        : { record: answer, isRepeated: pick !== undefined && wish.of === undefined };
      if (pick === undefined && isNone(image)) none.set(words, image);
      if (pick === undefined && isNone(image) && shown.has(words)) repeated.push(wish);
      else found.set(wish, image);
      if (isProblem(answer)) continue;
      filled += 1;
      if (answer.pick === null || pick !== undefined) continue;
      excluded.add(answer.pick);
      shown.set(words, [...(shown.get(words) ?? []), answer.pick]);
    }
    waiting = [...repeated, ...later];
    isEnded ||= batch.every(([wish]) => isSpent(found.get(wish)));
  }

  // What was not asked for would have been refused too.
  const spent = isEnded ? [...found.values()].find(isSpent) : undefined;
  for (const wish of wishes) {
    const other = typeof wish.of === 'object' ? found.get(wish.of) : undefined;
    const refused = other?.record ? undefined : (other ?? spent);
    if (refused && !found.has(wish)) found.set(wish, refused);
  }
  return found;
}

function imageOf(
  slot: string,
  { words: query, lang, width, height }: ImageWish,
  pick: string | undefined,
  { style, onmiss, lang: given = lang }: FillOptions,
): BatchImage {
  // Images have ratios from 1:40 to 40:1; small ones are requested in a size that is sharp on dense screens.
  const shape = {
    width: Math.max(width, Math.ceil(height / 40)),
    height: Math.max(height, Math.ceil(width / 40)),
  };
  return {
    slot,
    query,
    ...nearestSize(Math.max(width, Math.min(2 * width, 256)), shape),
    ...(pick !== undefined && { pick }),
    ...(style && { style }),
    ...(onmiss && pick === undefined && { onmiss }),
    ...(given && { lang: given }),
  };
}

/** What the report says of a wish. @param reason why its place is filled */
export function outcomeOf(
  found: FoundImage | undefined,
  reason: FilledImage['reason'],
): Pick<FilledImage, 'outcome' | 'reason' | 'src' | 'pick' | 'note'> {
  const { record, problem, isRepeated } = found ?? {};
  if (!record) {
    const note = problem?.detail ?? 'The next call goes on with it.';
    const left = leftFor(problem?.code) ?? 'generation_in_progress';
    return { outcome: 'left', reason: left, src: null, pick: null, note };
  }
  const loose = record.fit === 'loose' ? 'No photo fits all the words.' : undefined;
  const note = isRepeated ? 'No other image fits these words: it stands on the page more than once.' : loose;
  const { src, url, pick } = record;
  return { outcome: 'filled', reason, src: src ?? url, pick, ...(note && { note }) };
}
