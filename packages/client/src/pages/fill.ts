/** Fills the places of a text: asks for their images, notes what came of each, and writes the text. */

import { type Batch, type BatchImage, isProblem } from '../fetch-records';
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
  /** Elements within one another: browsers nest no deeper, and parsing takes quadratic time beyond. */
  depth: 512,
} as const;

/** The page is not read, since it is beyond these bounds of a page. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge';
  constructor(readonly bounds: string) {
    super(`The page is too large: ${bounds}.`);
  }
}

/** One call for images, which answers as `fetchBatch` does. */
export type FindImages = (batch: Batch) => Promise<Readonly<Record<string, ImageRecord | Problem>>>;

/** The options of filling: which images, and with what. */
export interface FillOptions extends Partial<Pick<Choices, 'style' | 'onmiss'>> {
  /** Whether photos of Unsplash, Pexels and Pixabay that may be real are replaced too; `false` by default. */
  readonly replaceStock?: boolean;
  /** Whether a URL is gone: it answered 404 or 410. Without it no URL is loaded. */
  readonly isGone?: (url: string) => Promise<boolean>;
  /** Language of the words as a BCP 47 tag; the page's own by default. */
  readonly lang?: string;
  /** Most images that are filled in this call, the first of the page; by default all. */
  readonly imagesMax?: number;
  /** Whether no further call may begin. */
  readonly isOver?: () => boolean;
  /** Called before images are asked for, with the most bytes that the page grows by. May throw. */
  readonly beforeFinding?: (growthMax: number, report: readonly FilledImage[]) => void;
}

/** A page or source with its images, and what became of each. */
export interface FilledPage {
  readonly html: string;
  /** Images that a further call could fill. */
  readonly left: number;
  /** Credits that licences ask for; a page shows them. */
  readonly credits: readonly string[];
  readonly report: readonly FilledImage[];
}

/** An image to be filled in, with its size and its outcome. Places that show the same image share one. */
export interface Image extends Size {
  /** Empty where nothing is said. */
  readonly words: string;
  readonly lang?: string | undefined;
  /** Name of a person, whose initials stand for the image. */
  readonly name?: string | undefined;
  /** The URL of what is drawn in its place; an image without words is left where nothing is. */
  readonly drawn?: string | undefined;
  /** The image that it shows once more or in another shape: one of the page, or by its pick. */
  sameAs?: Image | string | undefined;
  /** The found record, else the reason for having none; neither where it is for the next call. */
  record?: ImageRecord;
  problem?: Problem | undefined;
  /** Whether another place shows it too, since its words have no further image. */
  isRepeated?: boolean;
}

/** A place where a text shows an image, or has a URL that looks like one. */
export interface Place {
  readonly start: number;
  /** All URLs that stand there, decoded. */
  readonly urls: readonly string[];
  reason: FilledImage['reason'];
  /** The judgement of the URL that is replaced. */
  readonly old?: JudgedUrl | undefined;
  /** The image that belongs there; absent where the place is kept. */
  image?: Image;
  /** Its size there, where that differs. */
  size?: Size;
}

/** An image that a text shows: its pick, if it is one of ours, and the words for which it was filled in. */
type Shown = readonly [pick: string | undefined, words: string];

/** Awaits some work for each value, four at once. */
export async function fourAtOnce<T>(values: ReadonlySet<T>, work: (value: T) => Promise<void>) {
  const waiting = values.values();
  const worker = async () => {
    for (const value of waiting) await work(value);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

/** Whether an image is replaced for a reason, not kept. */
export const isReplaced = (reason: FilledImage['reason']): boolean =>
  /^(?:asked|placeholder|invented|stock|empty|missing)$/.test(reason);

const isAsked = ({ words, drawn }: Image): boolean => words !== '' && drawn === undefined;

/** The most bytes that an image adds in a place: a drawing, or a URL for each width of a `srcset`. */
const growthMax = (image: Image): number =>
  isAsked(image) ? (pageWidths.length + 3) * (700 + 9 * image.words.length) : 1_200;

/** Fills places. @param already shown by the text @param edits that show the found images @throws as `find` */
export async function fillPlaces(
  text: string,
  places: readonly Place[],
  already: readonly Shown[],
  find: FindImages | undefined,
  options: FillOptions,
  edits: () => readonly Edit[],
): Promise<FilledPage> {
  const report = reportOf(text, places);
  const growth = new Map<Image, number>();
  for (const { image } of places) if (image) growth.set(image, (growth.get(image) ?? 0) + growthMax(image));
  const images = [...growth.keys()];
  const asked = images.filter(isAsked);
  const byGrowth = [...growth].sort(([, a], [, b]) => b - a);
  // Any of those that are asked for may be found: the largest are counted.
  const largest = byGrowth.filter(([image]) => isAsked(image)).slice(0, options.imagesMax);
  const others = byGrowth.filter(([image]) => !isAsked(image));
  options.beforeFinding?.(
    [...largest, ...others].reduce((sum, [, bytes]) => sum + bytes, 0),
    report,
  );
  if (!find) return { html: text, left: 0, credits: [], report };
  await findAll(asked, find, options, already);
  const credits = images.flatMap(({ record }) => (record && creditOf(record)?.text) ?? []);
  const rows = reportOf(text, places, true);
  const left = rows.filter(({ reason }) => /^(?:quota_exceeded|generation_in_progress)$/.test(reason)).length;
  return { html: applyEdits(text, edits()), left, credits: [...new Set(credits)], report: rows };
}

/** Says why an image is left for a problem with this code; `undefined` for a fault of the service. */
export function leftFor(code = ''): FilledImage['reason'] | undefined {
  if (/^(?:no_image_found|duplicate_image|content_refused)$/.test(code)) return 'no_image_found';
  if (/^(?:quota_exceeded|rate_limited)$/.test(code)) return 'quota_exceeded';
  return code === 'generation_in_progress' ? code : undefined;
}

/**
 * Finds images in as few calls as it takes, and none twice as long as their words have another.
 * @throws as the first call does; what goes wrong later leaves the images that are found
 */
async function findAll(
  images: readonly Image[],
  find: FindImages,
  { imagesMax = Infinity, isOver = () => false, style, onmiss, lang: langOfAll }: FillOptions,
  already: readonly Shown[],
): Promise<void> {
  /** The picks that are shown, by their words. The first is the next to be shown once more. */
  const shown = new Map<string, string[]>();
  const show = (pick: string, words: string) => {
    const key = words.toLowerCase();
    shown.set(key, [...(shown.get(key) ?? []), pick]);
  };
  for (const [pick, words] of already) if (pick !== undefined) show(pick, words);
  const waiting = new Set(images);
  let [filled, spent] = [0, undefined as Problem | undefined];
  while (filled < imagesMax && !spent && !isOver()) {
    /** The images of this call, with the picks of those that must show a certain one. */
    const batch = new Map<Image, string | undefined>();
    for (const image of waiting) {
      // `null`: that image is not found yet.
      const pick = typeof image.sameAs === 'object' ? (image.sameAs.record?.pick ?? null) : image.sameAs;
      // The service shows no image twice in one call.
      const isTwice = pick !== undefined && [...batch.values()].includes(pick ?? undefined);
      if (pick !== null && !isTwice && batch.size < Math.min(batchImagesMax, imagesMax - filled))
        batch.set(image, pick);
    }
    if (batch.size === 0) break;
    const picks = [...batch.values()];
    const others = [...shown.values()].flat().filter((pick) => !picks.includes(pick));
    const exclude = others.slice(-batchExcludedMax);
    const asked = [...batch].map(([{ words: query, lang = '', width, height }, pick], index): BatchImage => {
      // Ratios go from 1:40 to 40:1. A small image is requested in a size that is sharp on dense screens.
      const [wide, high] = [Math.max(width, Math.ceil(height / 40)), Math.max(height, Math.ceil(width / 40))];
      return {
        slot: `image ${index + 1}`,
        query,
        ...nearestSize(Math.max(width, Math.min(2 * width, 256)), { width: wide, height: high }),
        ...(pick !== undefined && { pick }),
        ...(style && { style }),
        ...(onmiss && pick === undefined && { onmiss }),
        ...((langOfAll ?? lang) && { lang: langOfAll ?? lang }),
      };
    });
    const call = find({ ...(exclude.length > 0 && { exclude }), images: asked });
    const answers = await call.catch((error) => {
      if (filled === 0) throw error;
    });
    if (!answers) break;
    /** The words that have no further image. */
    const ended = new Map<string, Problem>();
    for (const [index, [image, pick]] of [...batch].entries()) {
      const answer = answers[`image ${index + 1}`];
      const problem = answer && isProblem(answer) ? answer : undefined;
      image.problem = problem;
      // It may show an image of its words once more.
      if (problem && pick === undefined && leftFor(problem.code) === 'no_image_found')
        ended.set(image.words.toLowerCase(), problem);
      else waiting.delete(image);
      if (!answer || isProblem(answer)) continue;
      image.record = answer;
      filled += 1;
      if (answer.pick !== null && pick === undefined) show(answer.pick, image.words);
    }
    const problems = [...batch.keys()].map(({ problem }) => problem);
    if (problems.every((each) => leftFor(each?.code) === 'quota_exceeded')) [spent] = problems;
    for (const image of waiting) {
      const key = image.words.toLowerCase();
      if (image.sameAs !== undefined || !ended.has(key)) continue;
      const picks = shown.get(key) ?? [];
      image.sameAs = picks.shift();
      image.problem = image.sameAs ? undefined : ended.get(key);
      image.isRepeated = image.sameAs !== undefined;
      if (image.sameAs === undefined) waiting.delete(image);
      else picks.push(image.sameAs);
    }
  }
  // What was not asked for would have been refused as the others were.
  for (const image of waiting)
    image.problem ??= (typeof image.sameAs === 'object' ? image.sameAs.problem : undefined) ?? spent;
}

/** The row of an image that stays. */
export const keptRow = (line: number, url: string, reason: FilledImage['reason']): FilledImage => ({
  ...{ line, was: url.slice(0, 200), outcome: 'kept', reason },
  ...{ query: null, width: null, height: null, src: null, pick: null },
});

/** A row for each place. @param isFound whether images were asked for: else rows say what would be done */
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
      const left = leftFor(problem?.code) ?? 'generation_in_progress';
      const why = problem?.detail ?? 'The next call goes on with it.';
      return { ...described, outcome: 'left', reason: left, note: why };
    }
    const { src = null, url: own = null, pick = null, fit } = record ?? {};
    const loose = fit === 'loose' ? 'No photo fits all the words.' : '';
    const note = isRepeated
      ? 'No other image fits these words: it stands on the page more than once.'
      : loose;
    return {
      ...described,
      outcome: 'filled',
      // A preload link has the reason of the image that it loads.
      reason: isReplaced(reason) ? reason : 'placeholder',
      src: src ?? own,
      pick,
      ...(note && { note }),
    };
  });
}
