/** Finds the images of a page or a file, in as few calls as it takes and none twice. */

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

/** The image that belongs in a place, in its size there; the places that show one image share it. */
export interface Wanted extends Size {
  /** Empty where nothing is said. */
  readonly words: string;
  /** BCP 47. */
  readonly lang?: string | undefined;
  /** Whose initials stand for it. */
  readonly name?: string | undefined;
  /** The URL of what is drawn in its place; an image without words is left where nothing is. */
  readonly drawn?: string | undefined;
  /** The image that is shown in another shape: another one of the page, or by its pick. */
  readonly of?: Wanted | string | undefined;
}

/** Whether an image is asked for, and not drawn or left. */
export const isAsked = ({ words, drawn }: Wanted): boolean => words !== '' && drawn === undefined;

/** What an image has come to: a record, a problem, or neither where it is for the next call. */
export interface Found {
  readonly record?: ImageRecord;
  readonly problem?: Problem;
  /** Whether another place shows it too, since its words have no further image. */
  readonly isRepeated?: boolean;
}

/** An image that a page shows already, and the words for which we have put it there. */
export interface Shown {
  readonly pick: string;
  readonly words: string;
}

/** Why an image is left that is answered by a problem with this code; `undefined` for those that say nothing of it. */
export function leftFor(code = ''): FilledImage['reason'] | undefined {
  if (/^(?:no_image_found|duplicate_image|content_refused)$/.test(code)) return 'no_image_found';
  if (/^(?:quota_exceeded|rate_limited)$/.test(code)) return 'quota_exceeded';
  return code === 'generation_in_progress' ? code : undefined;
}

/** @throws as the first call does; what goes wrong later leaves the images that are found */
export async function findAll(
  wanted: readonly Wanted[],
  find: FindImages,
  options: FillOptions,
  already: readonly Shown[],
): Promise<ReadonlyMap<Wanted, Found>> {
  const { imagesMax = Infinity, isOver = () => false } = options;
  const found = new Map<Wanted, Found>();
  const excluded = new Set(already.map(({ pick }) => pick));
  /** The picks of some words, in the order in which they are shown once more. */
  const shown = new Map<string, string[]>();
  const show = (words: string, pick: string) =>
    shown.set(words.toLowerCase(), [...(shown.get(words.toLowerCase()) ?? []), pick]);
  for (const { words, pick } of already) if (words !== '') show(words, pick);
  /** Words that have no further image have none at another place. */
  const none = new Map<string, Found>();
  let [waiting, filled, spent] = [[...wanted], 0, undefined as Found | undefined];
  let isEnded = false;
  while (waiting.length > 0 && filled < imagesMax && !isEnded && !isOver()) {
    const batch = new Map<Wanted, string | undefined>();
    for (const each of waiting) {
      const words = each.words.toLowerCase();
      const ended = each.of === undefined ? none.get(words) : undefined;
      const again = ended && shown.get(words);
      const of = typeof each.of === 'object' ? found.get(each.of)?.record?.pick : each.of;
      const pick = again?.[0] ?? of ?? undefined;
      // No image twice in one call, and one in another shape only when it is known which.
      const isReady = pick === undefined ? each.of === undefined : ![...batch.values()].includes(pick);
      if (ended && pick === undefined) found.set(each, ended);
      else if (isReady && batch.size < Math.min(batchImagesMax, imagesMax - filled)) {
        batch.set(each, pick);
        again?.push(again.shift() as string);
      }
    }
    if (batch.size === 0) break;
    const named = [...batch.values()];
    const exclude = [...excluded].filter((pick) => !named.includes(pick)).slice(-batchExcludedMax);
    const images = [...batch].map(([each, pick], index) =>
      imageOf(`image ${index + 1}`, each, pick, options),
    );
    const answers = await find({ ...(exclude.length > 0 && { exclude }), images }).catch((error) => {
      if (filled === 0) throw error;
      isEnded = true;
      return {} as Awaited<ReturnType<FindImages>>;
    });
    const repeated = new Set<Wanted>();
    let refused = 0;
    for (const [index, [each, pick]] of [...batch].entries()) {
      const answer = answers[`image ${index + 1}`];
      if (!answer) continue;
      if (isProblem(answer)) {
        const [left, words] = [leftFor(answer.code), each.words.toLowerCase()];
        const isNone = pick === undefined && left === 'no_image_found';
        if (isNone) none.set(words, { problem: answer });
        if (isNone && shown.has(words)) repeated.add(each);
        else found.set(each, { problem: answer });
        if (left === 'quota_exceeded') spent = { problem: answer };
        refused += left === 'quota_exceeded' ? 1 : 0;
        continue;
      }
      found.set(each, { record: answer, isRepeated: pick !== undefined && each.of === undefined });
      filled += 1;
      if (answer.pick === null || pick !== undefined) continue;
      excluded.add(answer.pick);
      show(each.words, answer.pick);
    }
    waiting = waiting.filter((each) => repeated.has(each) || !(batch.has(each) || found.has(each)));
    isEnded ||= refused === batch.size;
  }
  // What was not asked for would have been refused too.
  for (const each of wanted) {
    const other = typeof each.of === 'object' ? found.get(each.of) : undefined;
    const refused = other?.record ? undefined : (other ?? (isEnded ? spent : undefined));
    if (refused && !found.has(each)) found.set(each, refused);
  }
  return found;
}

function imageOf(
  slot: string,
  { words: query, lang, width, height }: Wanted,
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
