/** Describes the places of a text where images are filled, and reports on each place. */

import type { Size } from '../image-size';
import { type ImageRecord, type Problem, type ReportRow, reasons } from '../service';
import { applyEdits, createLineFinder, type Edit, parseCredit } from './edits';
import type { JudgedUrl } from './judge-url';

export interface FilledPage {
  readonly html: string;
  /** Images that a further call could fill. */
  readonly left: number;
  /** Credits that licences ask for. A page shows them, unless it ends within a comment or a script. */
  readonly credits: readonly string[];
  readonly report: readonly ReportRow[];
}

/** An image that a text is to show, with its size in CSS pixels. Places that show the same image share one. */
export interface WantedImage extends Size {
  /** What it should show; empty if the page does not say it. */
  readonly words: string;
  readonly lang?: string | undefined;
  /** The name of a person or company. Its initials are drawn in place of a photo. */
  readonly name?: string | undefined;
  /** The data URI of a drawing. An image without words and without a drawing is left. */
  readonly drawing?: string | undefined;
  /** Another image of the page, or a pick. That image is shown here too, perhaps in another shape. */
  readonly sameAs?: WantedImage | string | undefined;
}

/** What the service has answered for an image; empty if it was not asked, so that a further call can ask it. */
export interface FoundImage {
  readonly record?: ImageRecord;
  readonly problem?: Problem | undefined;
  /** True if another place shows the image too, because no other one fits the words. */
  readonly isRepeated?: boolean;
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
  /** What was found for the image; absent if nothing is to be written. */
  readonly found?: FoundImage;
}

/** Returns true if the service has to find an image: it is not drawn, and there are words for it. */
export const isToBeFound = ({ words, drawing }: WantedImage) => words !== '' && drawing === undefined;

/** Returns true if images with this reason are replaced, and false if they are kept. */
export const isReplaced = (reason: ReportRow['reason']): boolean =>
  reasons.replaced.some((replaced) => replaced === reason);

/** Returns the reason to report for the code of a problem; `undefined` for any other problem. */
export function findLeftReason(code = '') {
  if (/no_image_found|duplicate_image|content_refused|image_removed/.test(code)) return 'no_image_found';
  if (/quota_exceeded|rate_limited/.test(code)) return 'quota_exceeded';
  return code === 'generation_in_progress' ? code : undefined;
}

/** Makes the result of filling a text. */
export function makeFilledPage(text: string, places: readonly ImagePlace[], edits: Edit[] = []): FilledPage {
  const credits = new Set(places.flatMap(({ found }) => parseCredit(found?.record)?.text ?? []));
  const report = listRows(text, places);
  const leftRows = report.filter(({ reason }) => /^(?:quota_exceeded|generation_in_progress)$/.test(reason));
  return { html: applyEdits(text, edits), left: leftRows.length, credits: [...credits], report };
}

/** Returns the row of an image that stays. @param line from 1 */
export function makeKeptRow(line: number, url: string, reason: ReportRow['reason']): ReportRow {
  const emptyFields = { query: null, width: null, height: null, src: null, pick: null };
  return { line, was: url.slice(0, 200), outcome: 'kept', reason, ...emptyFields };
}

/** Lists a row for each place. Before images are searched, the rows say what would be done. */
export function listRows(text: string, places: readonly ImagePlace[]): ReportRow[] {
  const findLine = createLineFinder(text);
  return places.map(({ start, urls: [url = ''], reason, image, size = image, found }) => {
    const row = makeKeptRow(findLine(start), url, reason);
    return image && size ? makeReplacedRow(row, image, size, found) : row;
  });
}

function makeReplacedRow(kept: ReportRow, image: WantedImage, size: Size, found?: FoundImage): ReportRow {
  const { words, drawing } = image;
  const row = { ...kept, query: words || null, width: size.widthPx, height: size.heightPx };
  if (drawing !== undefined) return { ...row, outcome: 'drawn', src: found ? drawing : null };
  if (words === '') return { ...row, outcome: 'left', reason: 'no_words' };
  const { record, problem, isRepeated } = found ?? {};
  if (found && !record) {
    const mayPass = problem === undefined || problem.status >= 500;
    const reason = findLeftReason(problem?.code) ?? (mayPass ? 'generation_in_progress' : 'no_image_found');
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
