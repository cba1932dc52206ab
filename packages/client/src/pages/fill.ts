/** Fills the places of a text: asks for their images, writes the text, and reports on each place. */

import type { Size } from '../image-size';
import { type FilledImage, reasons } from '../service';
import { applyEdits, type Edit, lineFinder, readCredit } from './edits';
import type { FindImages, FindOptions, Image, ImageResults, ShownImage } from './find-images';
import { findAllImages, findLeftReason } from './find-images';
import type { JudgedUrl } from './judge-url';

export interface FillOptions extends FindOptions {
  /** Replaces photos of Unsplash, Pexels and Pixabay too, although they may be real; `false` by default. */
  readonly replaceStock?: boolean;
  /** Returns true if a URL answers 404 or 410. Without this function no URL is loaded. */
  readonly isGone?: (url: string) => Promise<boolean>;
}

export interface FilledPage {
  readonly html: string;
  /** Images that a further call could fill. */
  readonly left: number;
  /** Credits that licences ask for. A page has them in its markup. */
  readonly credits: readonly string[];
  readonly report: readonly FilledImage[];
}

/** A place where a text shows an image, or has a URL that may be of an image. */
export interface ImagePlace {
  readonly start: number;
  /** All URLs that stand there, decoded. */
  readonly urls: readonly string[];
  readonly reason: FilledImage['reason'];
  readonly judged?: JudgedUrl | undefined;
  /** The image to put there; absent if the place is kept. */
  readonly image?: Image | undefined;
  /** The size of the image in this place, if it is another one. */
  readonly size?: Size | undefined;
}

/** Calls `work` for each URL. Four calls run at once. */
export async function runInFours<Result>(urls: ReadonlySet<string>, work: (url: string) => Promise<Result>) {
  const results = new Map<string, Result>();
  const waitingUrls = urls.values();
  const worker = async () => {
    for (const url of waitingUrls) results.set(url, await work(url));
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return results;
}

/** Returns true if images with this reason are replaced, and false if they are kept. */
export const isReplaced = (reason: FilledImage['reason']): boolean =>
  reasons.replaced.some((replacedFor) => replacedFor === reason);

/** Returns true if the service has to find an image: it is not drawn, and there are words for it. */
export const isToBeFound = ({ words, drawing }: Image): boolean => words !== '' && drawing === undefined;

/** Fills places with images that the text does not show yet. @param editsFor lists the edits that write them */
export async function fillPlaces(
  text: string,
  places: readonly ImagePlace[],
  shown: readonly ShownImage[],
  find: FindImages | undefined,
  options: FillOptions,
  editsFor: (results: ImageResults) => readonly Edit[],
): Promise<FilledPage> {
  if (!find) return { html: text, left: 0, credits: [], report: listRows(text, places) };
  const images = new Set(places.flatMap(({ image }) => (image && isToBeFound(image) ? [image] : [])));
  const results = await findAllImages([...images], shown, find, options);
  const credits = new Set([...images].flatMap((image) => readCredit(results.get(image)?.record)?.text ?? []));
  const report = listRows(text, places, results);
  const leftRows = report.filter(({ reason }) => /^(?:quota_exceeded|generation_in_progress)$/.test(reason));
  return { html: applyEdits(text, editsFor(results)), left: leftRows.length, credits: [...credits], report };
}

/** Returns the row of an image that stays. @param line from 1 */
export function keptRow(line: number, url: string, reason: FilledImage['reason']): FilledImage {
  const unfilled = { query: null, width: null, height: null, src: null, pick: null };
  return { line, was: url.slice(0, 200), outcome: 'kept', reason, ...unfilled };
}

/** Lists a row for each place. @param results if absent, the rows say what would be done */
export function listRows(text: string, places: readonly ImagePlace[], results?: ImageResults): FilledImage[] {
  const lineAt = lineFinder(text);
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
    const reason = findLeftReason(problem?.code) ?? 'generation_in_progress';
    return { ...row, outcome: 'left', reason, note: problem?.detail ?? 'The next call goes on with it.' };
  }
  const repeatedNote = 'No other image fits these words: it stands on the page more than once.';
  const note = isRepeated ? repeatedNote : record?.fit === 'loose' && 'No photo fits all the words.';
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
