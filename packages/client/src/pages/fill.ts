/** Fills the places of a text: asks for their images, notes what came of each, and writes the text. */

import { type Batch, isProblem } from '../fetch-records';
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

/** A found image, or the reason for having none; neither where it is for the next call. */
export interface ImageResult {
  readonly record?: ImageRecord;
  readonly problem?: Problem | undefined;
  /** Whether another place shows it too, since its words have no further image. */
  readonly isRepeated?: boolean;
}

/** The results of a text's images, those of places without one absent. */
export type ImageResults = ReadonlyMap<Image | undefined, ImageResult>;

/** A place where a text shows an image, or has a URL that looks like one. */
export interface Place {
  readonly start: number;
  /** All URLs that stand there, decoded. */
  readonly urls: readonly string[];
  readonly reason: FilledImage['reason'];
  /** The judgement of the URL that is replaced. */
  readonly old?: JudgedUrl | undefined;
  /** The image that belongs there; absent where the place is kept. */
  readonly image?: Image | undefined;
  /** Its size there, where that differs. */
  readonly size?: Size | undefined;
}

/** An image that a text shows: its pick, if it is one of ours, and the words for which it was filled in. */
type ShownImage = readonly [pick: string | undefined, words: string];

/** The results of some work for each value, which is done for four at once. */
export async function fourAtOnce<T, Result>(values: ReadonlySet<T>, work: (value: T) => Promise<Result>) {
  const results = new Map<T, Result>();
  const waiting = values.values();
  const worker = async () => {
    for (const value of waiting) results.set(value, await work(value));
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return results;
}

/** Whether an image is replaced for a reason, not kept. */
export const isReplaced = (reason: FilledImage['reason']): boolean =>
  /^(?:asked|placeholder|invented|stock|empty|missing)$/.test(reason);

const isToBeFound = ({ words, drawn }: Image): boolean => words !== '' && drawn === undefined;

/** The most bytes that an image adds in a place: a drawing, or a URL for each width of a `srcset`. */
const growthMax = (image: Image): number =>
  isToBeFound(image) ? (pageWidths.length + 3) * (700 + 9 * image.words.length) : 1_200;

/** Fills places. @param shown by the text already @param edits that show the found images @throws as `find` */
export async function fillPlaces(
  text: string,
  places: readonly Place[],
  shown: readonly ShownImage[],
  find: FindImages | undefined,
  options: FillOptions,
  edits: (results: ImageResults) => readonly Edit[],
): Promise<FilledPage> {
  const report = reportOf(text, places);
  const growth = new Map<Image, number>();
  for (const { image } of places) if (image) growth.set(image, (growth.get(image) ?? 0) + growthMax(image));
  const images = [...growth.keys()];
  const byGrowth = [...growth].sort(([, a], [, b]) => b - a);
  // Any of those that are asked for may be found: the largest are counted.
  const largest = byGrowth.filter(([image]) => isToBeFound(image)).slice(0, options.imagesMax);
  const counted = [...largest, ...byGrowth.filter(([image]) => !isToBeFound(image))];
  const bytes = counted.reduce((sum, [, count]) => sum + count, 0);
  options.beforeFinding?.(bytes, report);
  if (!find) return { html: text, left: 0, credits: [], report };
  const results = await new ImageSearch(images.filter(isToBeFound), shown, options).findAll(find);
  const credits = images.flatMap((image) => creditOf(results.get(image)?.record)?.text ?? []);
  const rows = reportOf(text, places, results);
  const left = rows.filter(({ reason }) => /^(?:quota_exceeded|generation_in_progress)$/.test(reason)).length;
  return { html: applyEdits(text, edits(results)), left, credits: [...new Set(credits)], report: rows };
}

/** Says why an image is left for a problem with this code; `undefined` for a fault of the service. */
export function leftFor(code = ''): FilledImage['reason'] | undefined {
  if (/^(?:no_image_found|duplicate_image|content_refused)$/.test(code)) return 'no_image_found';
  if (/^(?:quota_exceeded|rate_limited)$/.test(code)) return 'quota_exceeded';
  return code === 'generation_in_progress' ? code : undefined;
}

type ImageBatch = ReadonlyMap<Image, string | undefined>;

/** Finds the images of a text in as few calls as it takes, and none twice as long as its words have another. */
class ImageSearch {
  private readonly results = new Map<Image | undefined, ImageResult>();
  /** The picks that are shown, with the words that they fit. */
  private readonly shown: ShownImage[];
  /** The picks that images show once more, since their words have no further one. */
  private readonly repeated = new Map<Image, string>();

  constructor(
    private readonly images: readonly Image[],
    shown: readonly ShownImage[],
    private readonly options: FillOptions,
  ) {
    this.shown = shown.filter(([pick]) => pick !== undefined);
  }

  private readonly waiting = () => this.images.filter((image) => !this.results.has(image));

  /** @throws as the first call does; what goes wrong later leaves the images that are found */
  async findAll(find: FindImages): Promise<ImageResults> {
    const { imagesMax = Infinity, isOver = () => false } = this.options;
    let foundCount = 0;
    let refusal: Problem | undefined;
    while (foundCount < imagesMax && !refusal && !isOver()) {
      const batch = this.nextBatch(Math.min(batchImagesMax, imagesMax - foundCount));
      if (batch.size === 0) break;
      const answers = await find(this.requestFor(batch)).catch((error) => {
        if (foundCount === 0) throw error;
      });
      if (!answers) break;
      this.note(batch, answers);
      const results = [...batch.keys()].map((image) => this.results.get(image));
      foundCount += results.filter((result) => result?.record).length;
      if (results.every((result) => leftFor(result?.problem?.code) === 'quota_exceeded'))
        refusal = results[0]?.problem;
    }
    // What was not asked for would have been refused as the others were.
    for (const image of this.waiting()) {
      const same = typeof image.sameAs === 'object' ? this.results.get(image.sameAs) : undefined;
      this.results.set(image, { problem: same?.problem ?? refusal });
    }
    return this.results;
  }

  /** The next images that one call may ask for, which shows none twice, with the picks that they must show. */
  private nextBatch(countMax: number): ImageBatch {
    const batch = new Map<Image, string | undefined>();
    for (const image of this.waiting()) {
      const { sameAs = this.repeated.get(image) } = image;
      // `null`: the image whose pick it must show is not found yet.
      const pick = typeof sameAs === 'object' ? (this.results.get(sameAs)?.record?.pick ?? null) : sameAs;
      const isTwice = typeof pick === 'string' && [...batch.values()].includes(pick);
      if (pick !== null && !isTwice && batch.size < countMax) batch.set(image, pick);
    }
    return batch;
  }

  private requestFor(batch: ImageBatch): Batch {
    const { style, onmiss, lang: langOfAll } = this.options;
    const picks = [...batch.values()];
    const others = this.shown.flatMap(([pick = '']) => (picks.includes(pick) ? [] : [pick]));
    const images = [...batch].map(([{ words, lang = '', width, height }, pick], index) => ({
      slot: `image ${index + 1}`,
      query: words,
      // Ratios go from 1:40 to 40:1. A small image is requested in a size that is sharp on dense screens.
      ...nearestSize(Math.max(width, Math.min(2 * width, 256)), {
        width: Math.max(width, Math.ceil(height / 40)),
        height: Math.max(height, Math.ceil(width / 40)),
      }),
      ...(pick !== undefined && { pick }),
      ...(style && { style }),
      ...(onmiss && pick === undefined && { onmiss }),
      ...((langOfAll ?? lang) && { lang: langOfAll ?? lang }),
    }));
    return { ...(others.length > 0 && { exclude: others.slice(-batchExcludedMax) }), images };
  }

  /** Notes the answers to a batch. Images whose words have no further one wait for picks that are shown. */
  private note(batch: ImageBatch, answers: Awaited<ReturnType<FindImages>>): void {
    const ended = new Map<string, Problem>();
    for (const [index, [image, pick]] of [...batch].entries()) {
      const answer = answers[`image ${index + 1}`];
      const problem = answer && isProblem(answer) ? answer : undefined;
      if (problem && pick === undefined && leftFor(problem.code) === 'no_image_found')
        ended.set(image.words.toLowerCase(), problem);
      else if (!answer || isProblem(answer)) this.results.set(image, { problem });
      else {
        this.results.set(image, { record: answer, isRepeated: this.repeated.has(image) });
        if (pick === undefined && answer.pick !== null) this.shown.push([answer.pick, image.words]);
      }
    }
    for (const [words, problem] of ended) {
      const picks = this.shown.filter(([, of]) => of.toLowerCase() === words).map(([pick]) => pick);
      const images = this.waiting().filter((image) => !image.sameAs && image.words.toLowerCase() === words);
      for (const [index, image] of images.entries()) {
        const pick = picks[index % picks.length];
        if (pick === undefined) this.results.set(image, { problem });
        else this.repeated.set(image, pick);
      }
    }
  }
}

const notFilled = { query: null, width: null, height: null, src: null, pick: null } as const;

/** The row of an image that stays. */
export const keptRow = (line: number, url: string, reason: FilledImage['reason']): FilledImage => ({
  line,
  was: url.slice(0, 200),
  outcome: 'kept',
  reason,
  ...notFilled,
});

/** A row for each place. @param results absent for rows that say what would be done */
export function reportOf(text: string, places: readonly Place[], results?: ImageResults): FilledImage[] {
  const lineAt = lineCounter(text);
  return places.map(({ start, urls: [url = ''], reason, image, size }) => {
    const row = keptRow(lineAt(start), url, reason);
    if (!image) return row;
    const { words, drawn, width, height } = { ...image, ...size };
    const described = { ...row, query: words || null, width, height };
    if (drawn !== undefined) return { ...described, outcome: 'drawn', src: results ? drawn : null };
    if (words === '') return { ...described, outcome: 'left', reason: 'no_words' };
    const { record, problem, isRepeated } = results?.get(image) ?? {};
    if (results && !record) {
      const note = problem?.detail ?? 'The next call goes on with it.';
      const leftReason = leftFor(problem?.code) ?? 'generation_in_progress';
      return { ...described, outcome: 'left', reason: leftReason, note };
    }
    const repeated = 'No other image fits these words: it stands on the page more than once.';
    const note = isRepeated ? repeated : record?.fit === 'loose' && 'No photo fits all the words.';
    return {
      ...described,
      outcome: 'filled',
      // A preload link has the reason of the image that it loads.
      reason: isReplaced(reason) ? reason : 'placeholder',
      src: record?.src ?? record?.url ?? null,
      pick: record?.pick ?? null,
      ...(note && { note }),
    };
  });
}
