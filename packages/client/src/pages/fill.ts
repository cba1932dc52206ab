/** Fills the places of a text: asks for their images, notes what came of each, and writes the text. */

import type { Size } from '../image-size';
import { type FilledImage, reasons } from '../service';
import { applyEdits, dueCredit, type Edit, lineCounter } from './edits';
import type { FindImages, FindOptions, Image, ImageResults, ShownImage } from './find-images';
import { findAllImages, leftFor } from './find-images';
import type { JudgedUrl } from './judge-url';

/** Options of filling: which images, and with what. */
export interface FillOptions extends FindOptions {
  /** Whether photos of Unsplash, Pexels and Pixabay that may be real are replaced too; `false` by default. */
  readonly replaceStock?: boolean;
  /** Whether a URL is gone: it answered 404 or 410. Without it no URL is loaded. */
  readonly isGone?: (url: string) => Promise<boolean>;
}

/** A page or source with its images, and the outcome of each. */
export interface FilledPage {
  readonly html: string;
  /** Images that a further call could fill. */
  readonly left: number;
  /** Credits that are due; a page shows them itself. */
  readonly credits: readonly string[];
  readonly report: readonly FilledImage[];
}

/** A place where a text shows an image, or has a URL that looks like one. */
export interface ImagePlace {
  readonly start: number;
  /** All URLs that stand there, decoded. */
  readonly urls: readonly string[];
  readonly reason: FilledImage['reason'];
  readonly judged?: JudgedUrl | undefined;
  /** The image that belongs there; absent where the place is kept. */
  readonly image?: Image | undefined;
  /** Its size there, where that differs. */
  readonly size?: Size | undefined;
}

/** Does some work for each URL, for four at once. */
export async function runInFours<Result>(urls: ReadonlySet<string>, work: (url: string) => Promise<Result>) {
  const results = new Map<string, Result>();
  const waiting = urls.values();
  const worker = async () => {
    for (const url of waiting) results.set(url, await work(url));
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return results;
}

/** Whether an image is replaced for a reason, not kept. */
export const isReplaced = (reason: FilledImage['reason']): boolean =>
  reasons.replaced.some((replacedFor) => replacedFor === reason);

/** Whether the service is to find an image, which is neither drawn nor left. */
export const isToBeFound = ({ words, drawing }: Image): boolean => words !== '' && drawing === undefined;

/** Fills places, and finds no image that the text has `shown`. @param editsFor writes found images */
export async function fillPlaces(
  text: string,
  places: readonly ImagePlace[],
  shown: readonly ShownImage[],
  find: FindImages | undefined,
  options: FillOptions,
  editsFor: (results: ImageResults) => readonly Edit[],
): Promise<FilledPage> {
  if (!find) return { html: text, left: 0, credits: [], report: reportOf(text, places) };
  const images = new Set(places.flatMap(({ image }) => (image && isToBeFound(image) ? [image] : [])));
  const results = await findAllImages([...images], shown, find, options);
  const credits = new Set([...images].flatMap((image) => dueCredit(results.get(image)?.record)?.text ?? []));
  const report = reportOf(text, places, results);
  const leftRows = report.filter(({ reason }) => /^(?:quota_exceeded|generation_in_progress)$/.test(reason));
  return { html: applyEdits(text, editsFor(results)), left: leftRows.length, credits: [...credits], report };
}

/** Makes the report row of an image that stays. */
export function keptRow(line: number, url: string, reason: FilledImage['reason']): FilledImage {
  const unfilled = { query: null, width: null, height: null, src: null, pick: null };
  return { line, was: url.slice(0, 200), outcome: 'kept', reason, ...unfilled };
}

/** Reports on each place. @param results absent to say what would be done */
export function reportOf(text: string, places: readonly ImagePlace[], results?: ImageResults): FilledImage[] {
  const lineAt = lineCounter(text);
  return places.map((place) => {
    const row = keptRow(lineAt(place.start), place.urls[0] ?? '', place.reason);
    return place.image ? replacedRow(row, place.image, place.size ?? place.image, results) : row;
  });
}

function replacedRow(kept: FilledImage, image: Image, size: Size, results?: ImageResults): FilledImage {
  const { words, drawing } = image;
  const row = { ...kept, query: words || null, width: size.widthPx, height: size.heightPx };
  if (drawing !== undefined) return { ...row, outcome: 'drawn', src: results ? drawing : null };
  if (words === '') return { ...row, outcome: 'left', reason: 'no_words' };
  const { record, problem, isRepeated } = results?.get(image) ?? {};
  if (results && !record) {
    const reason = leftFor(problem?.code) ?? 'generation_in_progress';
    return { ...row, outcome: 'left', reason, note: problem?.detail ?? 'The next call goes on with it.' };
  }
  const repeated = 'No other image fits these words: it stands on the page more than once.';
  const note = isRepeated ? repeated : record?.fit === 'loose' && 'No photo fits all the words.';
  return {
    ...row,
    outcome: 'filled',
    // A preload link has the reason of the image that it loads.
    reason: isReplaced(row.reason) ? row.reason : 'placeholder',
    src: record?.src ?? record?.url ?? null,
    pick: record?.pick ?? null,
    ...(note && { note }),
  };
}
