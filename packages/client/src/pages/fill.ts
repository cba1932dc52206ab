/** From the places of a text to the text with its images: what is asked for, what each place has come to, what is written. */

import { type Batch, type BatchImage, fetchBatch, isProblem } from '../fetch-records';
import { nearestSize, type Size } from '../image-url';
import {
  batchExcludedMax,
  batchImagesMax,
  type Choices,
  type FilledImage,
  type ImageRecord,
  type Problem,
  pageWidths,
} from '../service';
import { applyEdits, creditOf, type Edit, lineCounter } from './edits';
import type { JudgedUrl } from './judge-url';

/** The largest page that is read. */
export const pageLimits = {
  images: 2_000,
  elements: 50_000,
  /** Elements within one another: browsers end nesting here, and a parser of HTML takes quadratic time beyond. */
  depth: 512,
} as const;

/** The page is not read: it has more of something than a page may have. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge';
  /** @param bounds what a page may have */
  constructor(readonly bounds: string) {
    super(`The page is too large: ${bounds}.`);
  }
}

/** One call for images; answers as `fetchBatch` does. */
export type FindImages = (batch: Batch) => Promise<Readonly<Record<string, ImageRecord | Problem>>>;

/** How images are found: the service with an API key, or the call itself; absent to see what would be done. */
export type ImageFinder = { readonly base: string; readonly key: string } | FindImages | undefined;

/** Which images are filled, and with what. */
export interface FillOptions extends Partial<Pick<Choices, 'style' | 'onmiss'>> {
  /** Replaces every photo of Unsplash, Pexels and Pixabay, not only those that cannot be real; `false` by default. */
  readonly replaceStock?: boolean;
  /** Whether a URL is gone: it answered 404 or 410. Without it no URL is loaded. */
  readonly isGone?: (url: string) => Promise<boolean>;
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

/** A page or source with its images, and what became of each. */
export interface FilledPage {
  readonly html: string;
  /** Images that a further call could fill. */
  readonly left: number;
  /** Credits that licences ask for; a page shows them. */
  readonly credits: readonly string[];
  /** A row for every image. */
  readonly report: readonly FilledImage[];
}

/** The image that belongs in a place, in its size there, and what it has come to; the places that show one image share it. */
export interface Image extends Size {
  /** Empty where nothing is said. */
  readonly words: string;
  /** BCP 47. */
  readonly lang?: string | undefined;
  /** Whose initials stand for it. */
  readonly name?: string | undefined;
  /** The URL of what is drawn in its place; an image without words is left where nothing is. */
  readonly drawn?: string | undefined;
  /** The image that is shown in another shape: another one of the page, or by its pick. */
  readonly of?: Image | string | undefined;
  /** What was found for it, else why nothing was; neither where it is for the next call. */
  record?: ImageRecord;
  problem?: Problem | undefined;
  /** Whether another place shows it too, since its words have no further image. */
  isRepeated?: boolean;
}

/** Where a text shows an image, or has a URL that looks like one, from being found until it is written. */
export interface Place {
  /** Position in the text. */
  readonly start: number;
  /** All URLs that stand there, decoded. */
  readonly urls: readonly string[];
  /** Why it is filled, or kept. */
  readonly reason: FilledImage['reason'];
  /** What the URL says that is replaced. */
  readonly old?: JudgedUrl | undefined;
  /** The image that belongs there; absent where the place is kept. */
  readonly image?: Image;
  /** How large it is shown there, where that differs. */
  readonly size?: Size;
}

/** Whether an image is replaced for a reason, not kept. */
export const isReplaced = (reason: FilledImage['reason']): boolean =>
  /^(?:asked|placeholder|invented|stock|empty|missing)$/.test(reason);

/** The most bytes of a published URL without its words, its `&` written as references, and of an image that is drawn. */
const bytesMax = { url: 700, drawn: 1_200 };

/** Whether an image is asked for, and not drawn or left. */
const isAsked = ({ words, drawn }: Image): boolean => words !== '' && drawn === undefined;

/**
 * @internal
 * @param already the picks of images of ours that the text shows, and the words for which we have put them there
 * @param edits that show the images in their places
 * @throws as the finder
 */
export async function fillPlaces(
  text: string,
  places: readonly Place[],
  already: ReadonlyMap<string | undefined, string>,
  finder: ImageFinder,
  options: FillOptions,
  edits: () => readonly Edit[],
): Promise<FilledPage> {
  const report = reportOf(text, places);
  const growth = new Map<Image, number>();
  let drawn = 0;
  for (const { image } of places) {
    if (!image) continue;
    if (!isAsked(image)) drawn += bytesMax.drawn;
    else {
      // A URL for each width of a `srcset`; one stands in the report too.
      const bytes = (pageWidths.length + 3) * (bytesMax.url + 9 * image.words.length);
      const first = typeof image.of === 'object' ? image.of : image;
      growth.set(first, (growth.get(first) ?? 0) + bytes);
    }
  }
  // The most bytes by which the text becomes longer, whichever of its images are found.
  const most = [...growth.values()].sort((a, b) => b - a).slice(0, options.imagesMax ?? Infinity);
  options.beforeFinding?.(
    most.reduce((sum, each) => sum + each, drawn),
    report,
  );
  if (!finder) return { html: text, left: 0, credits: [], report };
  const find: FindImages =
    typeof finder === 'function' ? finder : (batch) => fetchBatch(finder.base, batch, { key: finder.key });
  const images = new Set(places.flatMap(({ image }) => image ?? []));
  await findAll([...images].filter(isAsked), find, options, already);
  const credits = [...images].flatMap(({ record }) => (record && creditOf(record)?.text) ?? []);
  const rows = reportOf(text, places, true);
  const left = rows.filter(({ reason }) => /^(?:quota_exceeded|generation_in_progress)$/.test(reason)).length;
  return { html: applyEdits(text, edits()), left, credits: [...new Set(credits)], report: rows };
}

/** Why an image is left that is answered by a problem with this code; `undefined` for those that say nothing of it. */
export function leftFor(code = ''): FilledImage['reason'] | undefined {
  if (/^(?:no_image_found|duplicate_image|content_refused)$/.test(code)) return 'no_image_found';
  if (/^(?:quota_exceeded|rate_limited)$/.test(code)) return 'quota_exceeded';
  return code === 'generation_in_progress' ? code : undefined;
}

/**
 * Finds images in as few calls as it takes and none twice.
 * @throws as the first call does; what goes wrong later leaves the images that are found
 */
async function findAll(
  images: readonly Image[],
  find: FindImages,
  options: FillOptions,
  already: ReadonlyMap<string | undefined, string>,
): Promise<void> {
  const { imagesMax = Infinity, isOver = () => false, style, onmiss } = options;
  const excluded = new Set<string>();
  const key = ({ words }: Pick<Image, 'words'>) => words.toLowerCase();
  /** The picks of some words, in the order in which they are shown once more. */
  const shown = new Map<string, string[]>();
  const show = (words: string, pick: string) => shown.set(words, [...(shown.get(words) ?? []), pick]);
  for (const [pick, words] of already) {
    if (pick !== undefined) excluded.add(pick);
    if (pick !== undefined && words !== '') show(key({ words }), pick);
  }
  /** Words that have no further image. */
  const ended = new Map<string, Problem>();
  /** `undefined` for a further image of its words, `null` where it is not known which, or there is none. */
  const pickFor = (image: Image): string | null | undefined => {
    if (typeof image.of === 'object') return image.of.record?.pick ?? null;
    return image.of ?? (ended.has(key(image)) ? (shown.get(key(image))?.[0] ?? null) : undefined);
  };
  let [waiting, filled, spent] = [[...images], 0, undefined as Problem | undefined];
  while (waiting.length > 0 && filled < imagesMax && !spent && !isOver()) {
    const batch = new Map<Image, string | undefined>();
    for (const image of waiting) {
      const pick = pickFor(image);
      // No image twice in one call.
      const isTwice = pick !== undefined && [...batch.values()].includes(pick ?? undefined);
      if (pick === null || isTwice || batch.size >= Math.min(batchImagesMax, imagesMax - filled)) continue;
      batch.set(image, pick);
      const again = pick !== undefined && image.of === undefined && shown.get(key(image));
      if (again) again.push(again.shift() as string);
    }
    if (batch.size === 0) break;
    const named = [...batch.values()];
    const exclude = [...excluded].filter((pick) => !named.includes(pick)).slice(-batchExcludedMax);
    const asked = [...batch].map(([{ words: query, lang = '', width, height }, pick], index): BatchImage => {
      // Images have ratios from 1:40 to 40:1; small ones are requested in a size that is sharp on dense screens.
      const [wide, high] = [Math.max(width, Math.ceil(height / 40)), Math.max(height, Math.ceil(width / 40))];
      return {
        slot: `image ${index + 1}`,
        query,
        ...nearestSize(Math.max(width, Math.min(2 * width, 256)), { width: wide, height: high }),
        ...(pick !== undefined && { pick }),
        ...(style && { style }),
        ...(onmiss && pick === undefined && { onmiss }),
        ...((options.lang ?? lang) && { lang: options.lang ?? lang }),
      };
    });
    const call = find({ ...(exclude.length > 0 && { exclude }), images: asked });
    const answers = await call.catch((error) => {
      if (filled === 0) throw error;
    });
    if (!answers) break;
    for (const [index, [image, pick]] of [...batch].entries()) {
      const answer = answers[`image ${index + 1}`];
      if (!answer) continue;
      if (!isProblem(answer)) {
        Object.assign(image, { record: answer, isRepeated: pick !== undefined && image.of === undefined });
        filled += 1;
        if (answer.pick === null || pick !== undefined) continue;
        excluded.add(answer.pick);
        show(key(image), answer.pick);
      } else if (pick === undefined && leftFor(answer.code) === 'no_image_found')
        ended.set(key(image), answer);
      else image.problem = answer;
    }
    const problems = [...batch.keys()].map(({ problem }) => problem);
    if (problems.every((each) => leftFor(each?.code) === 'quota_exceeded')) [spent] = problems;
    // What is for the next round: what was not asked for, and what has to show an image once more.
    const isWaiting = (image: Image) =>
      !batch.has(image) ||
      (!image.record && !image.problem && batch.get(image) === undefined && ended.has(key(image)));
    waiting = waiting.filter(isWaiting);
  }
  // What was not asked for would have been refused too.
  for (const image of images) {
    const first = typeof image.of === 'object' ? image.of.problem : undefined;
    const none = pickFor(image) === null && image.of === undefined ? ended.get(key(image)) : undefined;
    if (!image.record) image.problem ??= first ?? none ?? spent;
  }
}

/** The row of an image that stays. */
export const keptRow = (line: number, url: string, reason: FilledImage['reason']): FilledImage => ({
  ...{ line, was: url.slice(0, 200), outcome: 'kept', reason },
  ...{ query: null, width: null, height: null, src: null, pick: null },
});

/** A row for each place. @param isFound whether images were asked for; without it the rows say what would be done */
export function reportOf(text: string, places: readonly Place[], isFound = false): FilledImage[] {
  const lineAt = lineCounter(text);
  return places.map(({ start, urls: [url = ''], reason, image, size }) => {
    const row = keptRow(lineAt(start), url, reason);
    if (!image) return row;
    const { words, drawn, record, problem, isRepeated, width, height } = { ...image, ...size };
    const described = { ...row, query: words || null, width, height };
    if (drawn !== undefined) return { ...described, outcome: 'drawn', src: isFound ? drawn : null };
    if (words === '') return { ...described, outcome: 'left', reason: 'no_words' };
    if (isFound && !record) {
      const note = problem?.detail ?? 'The next call goes on with it.';
      return {
        ...described,
        outcome: 'left',
        reason: leftFor(problem?.code) ?? 'generation_in_progress',
        note,
      };
    }
    const { src = null, url: own = null, pick = null } = record ?? {};
    return {
      ...described,
      outcome: 'filled',
      // An image that the page loads early is replaced for the reason of the one that it is.
      reason: isReplaced(reason) ? reason : 'placeholder',
      src: src ?? own,
      pick,
      ...(isRepeated && { note: 'No other image fits these words: it stands on the page more than once.' }),
    };
  });
}
