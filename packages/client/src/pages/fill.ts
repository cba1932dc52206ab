/** Fills the places of a page or a source that show placeholders, and says what became of every place. */

import { fetchBatch } from '../fetch-records';
import type { Size } from '../image-url';
import { type FilledImage, type ImageRecord, pageWidths } from '../service';
import { applyEdits, creditOf, type Edit } from './edits';
import {
  type FillOptions,
  type FindImages,
  type Found,
  findAll,
  isAsked,
  leftFor,
  type Shown,
  type Wanted,
} from './find';
import type { JudgedUrl } from './judge-url';
import { lineCounter } from './page';

/** Where a text shows an image, or has a URL that looks like one. */
export interface Place {
  /** Position in the text. */
  readonly offset: number;
  /** All URLs that stand there, decoded. */
  readonly urls: readonly string[];
  /** Why it is filled, or kept. */
  readonly reason: FilledImage['reason'];
  /** What the URL says that is replaced. */
  readonly old?: JudgedUrl | undefined;
  /** The image that belongs there; absent where the place is kept. */
  readonly image?: Wanted;
  /** How large it is shown there, where that differs. */
  readonly size?: Size;
}

/** Whether an image is replaced for a reason, not kept. */
export const isReplaced = (reason: FilledImage['reason']): boolean =>
  /^(?:asked|placeholder|invented|stock|empty|missing)$/.test(reason);

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

/** How images are found: the service with an API key, or the call itself; absent to see what would be done. */
export type ImageFinder = { readonly base: string; readonly key: string } | FindImages | undefined;

/** A text whose places are known. */
interface Judged<P extends Place> {
  readonly text: string;
  readonly places: readonly P[];
  /** Images of ours that it shows already. */
  readonly already: readonly Shown[];
}

/** @internal @param edits that put images into their places @throws as the finder */
export async function fillPlaces<P extends Place>(
  { text, places, already }: Judged<P>,
  finder: ImageFinder,
  options: FillOptions,
  edits: (records: ReadonlyMap<P, ImageRecord>) => readonly Edit[],
): Promise<FilledPage> {
  const report = reportOf(text, places);
  options.beforeFinding?.(growthOf(places, options.imagesMax), report);
  if (!finder) return { html: text, left: 0, credits: [], report };
  const find: FindImages =
    typeof finder === 'function' ? finder : (batch) => fetchBatch(finder.base, batch, { key: finder.key });
  const wanted = new Set(places.flatMap(({ image }) => (image && isAsked(image) ? [image] : [])));
  const found = await findAll([...wanted], find, options, already);
  const records = new Map<P, ImageRecord>();
  for (const place of places) {
    const record = place.image && found.get(place.image)?.record;
    if (record) records.set(place, record);
  }
  const credits = new Set([...records.values()].flatMap((record) => creditOf(record)?.text ?? []));
  const rows = reportOf(text, places, found);
  const left = rows.filter(({ reason }) => /^(?:quota_exceeded|generation_in_progress)$/.test(reason)).length;
  return { html: applyEdits(text, edits(records)), left, credits: [...credits], report: rows };
}

/** The row of an image that stays. */
export const keptRow = (line: number, url: string, reason: FilledImage['reason']): FilledImage => ({
  ...{ line, was: url.slice(0, 200), outcome: 'kept', reason },
  ...{ query: null, width: null, height: null, src: null, pick: null },
});

/** The row of a file or page that cannot be read as a whole. */
export const unreadRow = (note: string): FilledImage => ({
  ...keptRow(1, '', 'unknown'),
  outcome: 'left',
  note,
});

/** A row for each place. @param found what its images have come to; absent where they are not asked for */
export function reportOf(
  text: string,
  places: readonly Place[],
  found?: ReadonlyMap<Wanted, Found>,
): FilledImage[] {
  const lineAt = lineCounter(text);
  return places.map(({ offset, urls: [url = ''], reason, image, size }) => {
    const row = keptRow(lineAt(offset), url, reason);
    if (!image) return row;
    const { words, width, height, drawn } = { ...image, ...size };
    const described = { ...row, query: words || null, width, height };
    if (drawn !== undefined) return { ...described, outcome: 'drawn', src: found ? drawn : null };
    if (words === '') return { ...described, outcome: 'left', reason: 'no_words' };
    // An image that the page loads early is replaced for the reason of the one that it is.
    const filled = {
      ...described,
      outcome: 'filled',
      reason: isReplaced(reason) ? reason : 'placeholder',
    } as const;
    if (!found) return filled;
    const { record, problem, isRepeated } = found.get(image) ?? {};
    if (!record) {
      const why = leftFor(problem?.code) ?? 'generation_in_progress';
      return {
        ...filled,
        outcome: 'left',
        reason: why,
        note: problem?.detail ?? 'The next call goes on with it.',
      };
    }
    const loose = record.fit === 'loose' && 'No photo fits all the words.';
    const note = isRepeated
      ? 'No other image fits these words: it stands on the page more than once.'
      : loose;
    return { ...filled, src: record.src ?? record.url, pick: record.pick, ...(note && { note }) };
  });
}

/** The most bytes of a published URL without its words, its `&` written as references, and of an image that is drawn. */
const bytesMax = { url: 700, drawn: 1_200 };

/** The most bytes by which a text becomes longer, whichever of its images are found. */
function growthOf(places: readonly Place[], imagesMax = Infinity): number {
  const growth = new Map<Wanted, number>();
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
  const most = [...growth.values()].sort((a, b) => b - a).slice(0, imagesMax);
  return most.reduce((sum, each) => sum + each, drawn);
}
