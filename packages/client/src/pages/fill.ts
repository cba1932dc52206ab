/** Describes the places of a text where images are filled, and reports on each place. */

import type { Size } from '../image-size';
import { type ReportRow, reasons } from '../service';
import { applyEdits, createLineFinder, type Edit, parseCredit } from './edits';
import { findLeftReason, type WantedImage } from './find-images';
import type { JudgedUrl } from './judge-url';

export { isToBeFound } from './find-images';

export interface FilledPage {
  readonly html: string;
  /** Images that a further call could fill. */
  readonly left: number;
  /** Credits that licences ask for. A page shows them, unless it ends within a comment or a script. */
  readonly credits: readonly string[];
  readonly report: readonly ReportRow[];
}

/** A place in any text, where an image is shown or a URL may be of an image. */
export interface ImagePlace {
  readonly start: number;
  /** All URLs that stand there, decoded. */
  readonly urls: readonly string[];
  readonly reason: ReportRow['reason'];
  readonly judgedUrl?: JudgedUrl | undefined;
  /** The image to put there; absent if the place is kept. */
  readonly image?: WantedImage | undefined;
  /** The size in this place, if it is not the size of `image`. */
  readonly size?: Size | undefined;
}

/** Calls `work` for each URL. Four calls run at once. */
export async function runInFours<Result>(urls: ReadonlySet<string>, work: (url: string) => Promise<Result>) {
  const results = new Map<string, Result>();
  const waitingUrls = urls.values();
  const runWorker = async () => {
    for (const url of waitingUrls) results.set(url, await work(url));
  };
  await Promise.all([runWorker(), runWorker(), runWorker(), runWorker()]);
  return results;
}

/** Returns true if images with this reason are replaced, and false if they are kept. */
export const isReplaced = (reason: ReportRow['reason']): boolean =>
  reasons.replaced.some((replaced) => replaced === reason);

/** Makes the result of filling a text. @param edits absent if no image was asked for: the text stays */
export function makeFilledPage(text: string, places: readonly ImagePlace[], edits?: Edit[]): FilledPage {
  const credits = new Set(places.flatMap(({ image }) => parseCredit(image?.result?.record)?.text ?? []));
  const report = listRows(text, places, edits !== undefined);
  const leftRows = report.filter(({ reason }) => /^(?:quota_exceeded|generation_in_progress)$/.test(reason));
  return { html: applyEdits(text, edits ?? []), left: leftRows.length, credits: [...credits], report };
}

/** Returns the row of an image that stays. @param line from 1 */
export function makeKeptRow(line: number, url: string, reason: ReportRow['reason']): ReportRow {
  const emptyFields = { query: null, width: null, height: null, src: null, pick: null };
  return { line, was: url.slice(0, 200), outcome: 'kept', reason, ...emptyFields };
}

/** Lists a row for each place. @param isWritten if false, the rows say what would be done */
export function listRows(text: string, places: readonly ImagePlace[], isWritten = false): ReportRow[] {
  const findLine = createLineFinder(text);
  return places.map(({ start, urls: [url = ''], reason, image, size = image }) => {
    const row = makeKeptRow(findLine(start), url, reason);
    return image && size ? makeReplacedRow(row, image, size, isWritten) : row;
  });
}

function makeReplacedRow(kept: ReportRow, image: WantedImage, size: Size, isWritten: boolean): ReportRow {
  const { words, drawing, isRepeated } = image;
  const row = { ...kept, query: words || null, width: size.widthPx, height: size.heightPx };
  if (drawing !== undefined) return { ...row, outcome: 'drawn', src: isWritten ? drawing : null };
  if (words === '') return { ...row, outcome: 'left', reason: 'no_words' };
  const { record, problem } = image.result ?? {};
  if (isWritten && !record) {
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
