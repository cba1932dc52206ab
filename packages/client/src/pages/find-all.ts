/** Finds the images of a page or a file, as few calls as it takes and none twice. */

import { type BatchImage, isProblem } from '../fetch-records';
import { nearestSize, type Size } from '../image-size';
import {
  batchExcludedMax,
  batchImagesMax,
  type Choices,
  type FilledImage,
  type ImageRecord,
  type Problem,
} from '../service';

/** One call for images; answers as `fetchBatch` does. */
export type FindImages = (batch: {
  /** The picks of images that are shown already. */
  readonly exclude?: readonly string[];
  readonly images: readonly BatchImage[];
}) => Promise<Readonly<Record<string, ImageRecord | Problem>>>;

/** What every image of a call is found with. */
export interface FindOptions {
  readonly style?: Choices['style'];
  readonly onmiss?: Choices['onmiss'];
  /** BCP 47; the page's own by default. */
  readonly lang?: string;
  /** Most images that are filled in this call, the first of the page; by default all. */
  readonly imagesMax?: number;
  /** Whether no further call may begin. */
  readonly isOver?: () => boolean;
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

const isNone = (found: FoundImage | undefined) =>
  /^(?:no_image_found|duplicate_image|content_refused)$/.test(found?.problem?.code ?? '');
const isSpent = (found: FoundImage | undefined) =>
  /^(?:quota_exceeded|rate_limited)$/.test(found?.problem?.code ?? '');

/** @throws as the first call does; what goes wrong later leaves the images that are found */
export async function findAll(
  wishes: readonly ImageWish[],
  find: FindImages,
  options: FindOptions,
  shown: ShownImages,
): Promise<ReadonlyMap<ImageWish, FoundImage>> {
  const { imagesMax = Infinity, isOver = () => false } = options;
  const found = new Map<ImageWish, FoundImage>();
  const picks = new Set(shown.picks);
  const byWords = new Map(shown.byWords);
  let [filled, isEnded] = [0, false];
  const wordsOf = ({ words }: ImageWish) => words.toLowerCase();
  const ask = async (batch: readonly Asked[], exclude: readonly string[]) => {
    const images = batch.map(([wish, pick], index) => imageOf(`image ${index + 1}`, wish, pick, options));
    const answers = await find({ ...(exclude.length > 0 && { exclude }), images }).catch((error) => {
      if (filled === 0) throw error;
      isEnded = true;
      return {} as Awaited<ReturnType<FindImages>>;
    });
    for (const [index, [wish, pick]] of batch.entries()) {
      const answer = answers[`image ${index + 1}`];
      if (answer && isProblem(answer)) found.set(wish, { problem: answer });
      if (!answer || isProblem(answer)) continue;
      filled += 1;
      found.set(wish, { record: answer, isRepeated: pick !== undefined && wish.of === undefined });
      if (answer.pick === null || pick !== undefined) continue;
      picks.add(answer.pick);
      byWords.set(wordsOf(wish), [...(byWords.get(wordsOf(wish)) ?? []), answer.pick]);
    }
    isEnded ||= batch.every(([wish]) => isSpent(found.get(wish)));
  };

  let waiting = wishes.filter(({ of }) => of === undefined);
  while (waiting.length > 0 && filled < imagesMax && !isEnded && !isOver()) {
    const batch = waiting.slice(0, Math.min(batchImagesMax, imagesMax - filled));
    await ask(
      batch.map((wish) => [wish, undefined]),
      [...picks].slice(-batchExcludedMax),
    );
    // Words that have no further image have none at another place.
    const none = new Map(batch.map((wish) => [wordsOf(wish), found.get(wish)]));
    for (const wish of waiting.slice(batch.length)) {
      const same = none.get(wordsOf(wish));
      if (same && isNone(same)) found.set(wish, same);
    }
    waiting = waiting.slice(batch.length).filter((wish) => !found.has(wish));
  }

  // The same image in another shape, or once more, by its pick. What there is no room for is for the next call.
  const turns = new Map<string, number>();
  const again = wishes.flatMap((wish): Asked[] => {
    const others = isNone(found.get(wish)) ? (byWords.get(wordsOf(wish)) ?? []) : [];
    const turn = turns.get(wordsOf(wish)) ?? 0;
    if (others.length > 0) turns.set(wordsOf(wish), turn + 1);
    const pick = typeof wish.of === 'object' ? found.get(wish.of)?.record?.pick : wish.of;
    const shownBefore = pick ?? others[turn % others.length];
    return shownBefore ? [[wish, shownBefore]] : [];
  });
  for (const [wish] of again) found.delete(wish);
  for (
    let left = again.slice(0, Math.max(0, imagesMax - filled));
    left.length > 0 && !isEnded && !isOver();
  ) {
    // No image twice in one call.
    const named = new Map<string | undefined, Asked>();
    for (const each of left) if (!named.has(each[1]) && named.size < batchImagesMax) named.set(each[1], each);
    const batch = new Set(named.values());
    await ask([...batch], []);
    left = left.filter((each) => !batch.has(each));
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

/** A wish, and the pick by which it is asked for. */
type Asked = readonly [wish: ImageWish, pick: string | undefined];

function imageOf(
  slot: string,
  { words: query, lang, width, height }: ImageWish,
  pick: string | undefined,
  { style, onmiss, lang: given = lang }: FindOptions,
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
  if (record) {
    const loose = record.fit === 'loose' ? 'No photo fits all the words.' : undefined;
    const note = isRepeated
      ? 'No other image fits these words: it stands on the page more than once.'
      : loose;
    return {
      outcome: 'filled',
      reason,
      src: record.src ?? record.url,
      pick: record.pick,
      ...(note && { note }),
    };
  }
  const left = isSpent(found) ? 'quota_exceeded' : 'generation_in_progress';
  const note = problem?.detail ?? 'The next call goes on with it.';
  return { outcome: 'left', reason: isNone(found) ? 'no_image_found' : left, src: null, pick: null, note };
}
