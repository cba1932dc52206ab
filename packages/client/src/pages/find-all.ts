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

/** What a wish has come to. */
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

/** How many times more images are asked for than filled, where many have none. */
const triesMax = 4;

const isNone = (code: string | undefined) =>
  /^(?:no_image_found|duplicate_image|content_refused)$/.test(code ?? '');
const isSpent = (code: string | undefined) => /^(?:quota_exceeded|rate_limited)$/.test(code ?? '');

/** @throws as the first call does; what goes wrong later leaves the images that are found */
export async function findAll(
  wishes: readonly ImageWish[],
  find: FindImages,
  options: FindOptions,
  shown: ShownImages,
): Promise<ReadonlyMap<ImageWish, FoundImage>> {
  const { imagesMax = Infinity, isOver = () => false } = options;
  const found = new Map<ImageWish, FoundImage>();
  const picks = [...shown.picks];
  const byWords = new Map([...shown.byWords].map(([words, of]) => [words, [...of]]));
  let isEnded = false;
  const filled = () => [...found.values()].filter(({ record }) => record).length;

  const ask = async (
    batch: readonly (readonly [wish: ImageWish, pick?: string])[],
    exclude: readonly string[],
  ) => {
    const images = batch.map(([wish, pick], index) => imageOf(`image ${index + 1}`, wish, pick, options));
    let answers: Awaited<ReturnType<FindImages>>;
    try {
      answers = await find({
        ...(exclude.length > 0 && { exclude: exclude.slice(-batchExcludedMax) }),
        images,
      });
    } catch (error) {
      if (filled() === 0) throw error;
      isEnded = true;
      return;
    }
    for (const [index, [wish, pick]] of batch.entries()) {
      const answer = answers[`image ${index + 1}`];
      if (!answer) continue;
      if (isProblem(answer)) found.set(wish, { problem: answer });
      else {
        const isRepeated = pick !== undefined && wish.of === undefined;
        found.set(wish, { record: answer, ...(isRepeated && { isRepeated }) });
        if (answer.pick === null) continue;
        const key = wish.words.toLowerCase();
        if (!picks.includes(answer.pick)) picks.push(answer.pick);
        byWords.set(key, [...(byWords.get(key) ?? []), answer.pick]);
      }
    }
    isEnded ||= batch.every(([wish]) => isSpent(found.get(wish)?.problem?.code));
  };

  const waiting = wishes.filter(({ of }) => of === undefined);
  for (let tries = 0; waiting.length > 0 && !isEnded && !isOver(); ) {
    const count = Math.min(batchImagesMax, imagesMax - filled(), triesMax * imagesMax - tries);
    if (count <= 0) break;
    const batch = waiting.splice(0, count);
    tries += count;
    await ask(
      batch.map((wish) => [wish]),
      picks,
    );
  }

  // The same image in another shape, or once more: by its pick.
  const again: (readonly [ImageWish, string])[] = [];
  const used = new Map<string, number>();
  for (const wish of wishes) {
    const key = wish.words.toLowerCase();
    const others = byWords.get(key) ?? [];
    const turn = used.get(key) ?? 0;
    const repeated = isNone(found.get(wish)?.problem?.code) ? others[turn % others.length] : undefined;
    if (repeated) used.set(key, turn + 1);
    const pick = typeof wish.of === 'object' ? found.get(wish.of)?.record?.pick : (wish.of ?? repeated);
    if (pick) again.push([wish, pick]);
  }
  const room = Math.max(0, imagesMax - filled());
  for (let left = again.slice(0, room); left.length > 0 && !isEnded && !isOver(); ) {
    // No image twice in one call.
    const named = new Map<string, readonly [ImageWish, string]>();
    for (const each of left) if (!named.has(each[1]) && named.size < batchImagesMax) named.set(each[1], each);
    const batch = [...named.values()];
    left = left.filter((each) => !batch.includes(each));
    await ask(batch, []);
  }

  const spent = [...found.values()].findLast(({ problem }) => isSpent(problem?.code));
  // What was not asked for would have been refused too.
  if (isEnded && spent) for (const wish of wishes) if (!found.has(wish)) found.set(wish, spent);
  return found;
}

function imageOf(
  slot: string,
  { words: query, lang, width, height }: ImageWish,
  pick: string | undefined,
  { style, onmiss, lang: given = lang }: FindOptions,
): BatchImage {
  // Images have ratios from 1:40 to 40:1; small ones are requested in a size that is sharp on dense screens.
  const wide = Math.max(width, Math.ceil(height / 40));
  const high = Math.max(height, Math.ceil(width / 40));
  return {
    slot,
    query,
    ...nearestSize(Math.max(width, Math.min(2 * width, 256)), { width: wide, height: high }),
    ...(pick !== undefined && { pick }),
    ...(style && { style }),
    ...(onmiss && pick === undefined && { onmiss }),
    ...(given && { lang: given }),
  };
}

/** What the report says of a wish. @param reason why its place is filled */
export function outcomeOf(
  { record, problem, isRepeated }: FoundImage = {},
  reason: FilledImage['reason'],
): Pick<FilledImage, 'outcome' | 'reason' | 'src' | 'pick' | 'note'> {
  if (record) {
    const repeated = 'No other image fits these words: it stands on the page more than once.';
    const note = isRepeated ? repeated : record.fit === 'loose' ? 'No photo fits all the words.' : undefined;
    return {
      outcome: 'filled',
      reason,
      src: record.src ?? record.url,
      pick: record.pick,
      ...(note && { note }),
    };
  }
  const { code, detail = 'The next call goes on with it.' } = problem ?? {};
  const left = isNone(code) ? 'no_image_found' : isSpent(code) ? 'quota_exceeded' : 'generation_in_progress';
  return { outcome: 'left', reason: left, src: null, pick: null, note: detail };
}
