/** Fills the places of a page or a source that show placeholders, and says what became of every place. */

import { fetchBatch } from '../fetch-records';
import type { Size } from '../image-url';
import { type FilledImage, type ImageRecord, pageWidths } from '../service';
import {
  type FillOptions,
  type FindImages,
  type FoundImage,
  findAll,
  type ImageWish,
  outcomeOf,
  type ShownImages,
} from './find-all';
import type { Verdict } from './judge-url';
import { applyEdits, creditOf, type Edit } from './page-edits';
import { lineCounter } from './read-page';

/** Where a text shows an image, or has a URL that looks like one. */
export interface Place {
  /** `text`: a URL in a source. `other`: of a kind that is never filled. */
  readonly kind: 'img' | 'source' | 'poster' | 'svg' | 'css' | 'preview' | 'preload' | 'text' | 'other';
  /** Position in the text: of the element, for CSS and sources of the URL. */
  readonly offset: number;
  /** All URLs that stand there, decoded. */
  readonly urls: readonly string[];
  readonly verdict: Verdict;
}

/** The words of an image. */
export interface Words {
  /** Empty where nothing is said. */
  readonly text: string;
  /** Whether the URL says them, in whatever language that is. */
  readonly isOfUrl?: boolean;
  /** Whose initials are drawn: a person's, since no stranger may stand for them, or a company's in place of its logo. */
  readonly name?: string;
}

/** The image that a place shows, in its size there; neither found nor drawn where nothing says what it is. */
export interface Shown extends Size {
  readonly words: Words;
  readonly wish?: ImageWish | undefined;
  /** The URL of one that is drawn. */
  readonly drawn?: string | undefined;
}

/** A text that was read. */
export interface Judged<P extends Place> {
  readonly text: string;
  readonly places: readonly P[];
  /** Places that are to be filled. */
  readonly shown: ReadonlyMap<P, Shown>;
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

/** How images are found: the service with an API key, or the call itself; absent to see what would be done. */
export type ImageFinder = { readonly base: string; readonly key: string } | FindImages | undefined;

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

/**
 * @param already images of ours that the text shows
 * @param edits that put images into their places
 * @throws as the finder; what a single image lacks stands in the report
 * @internal
 */
export async function fillPlaces<P extends Place>(
  judged: Judged<P>,
  already: ShownImages,
  finder: ImageFinder,
  options: FillOptions,
  edits: (records: ReadonlyMap<P, ImageRecord>) => readonly Edit[],
): Promise<FilledPage> {
  const { text, shown } = judged;
  const report = reportOf(judged);
  options.beforeFinding?.(growthOf([...shown], options.imagesMax), report);
  if (!finder) return { html: text, left: 0, credits: [], report };
  const find: FindImages =
    typeof finder === 'function' ? finder : (batch) => fetchBatch(finder.base, batch, { key: finder.key });
  const wishes = new Set([...shown.values()].flatMap(({ wish }) => wish ?? []));
  const found = await findAll([...wishes], find, options, already);
  const records = new Map<P, ImageRecord>();
  for (const [place, { wish }] of shown) {
    const record = wish && found.get(wish)?.record;
    if (record) records.set(place, record);
  }
  const credits = new Set([...records.values()].flatMap((record) => creditOf(record)?.text ?? []));
  const rows = reportOf(judged, found);
  const left = rows.filter(({ reason }) => /^(?:quota_exceeded|generation_in_progress)$/.test(reason)).length;
  return { html: applyEdits(text, edits(records)), left, credits: [...credits], report: rows };
}

/** A row for each place. @param found what its images have come to; absent where they are not asked for */
export function reportOf<P extends Place>(
  { text, places, shown }: Judged<P>,
  found?: ReadonlyMap<ImageWish, FoundImage>,
): FilledImage[] {
  const lineAt = lineCounter(text);
  return places.map((place) => {
    const { verdict, offset, urls } = place;
    const row = keptRow(lineAt(offset), urls[0] ?? '', 'keep' in verdict ? verdict.keep : verdict.fill);
    const image = shown.get(place);
    if (!image) return row;
    const { words, wish, width, height, drawn } = image;
    const described = { ...row, query: words.text || null, width, height };
    if (!wish && drawn === undefined) return { ...described, outcome: 'left', reason: 'no_words' };
    if (!wish) return { ...described, outcome: 'drawn', src: (found && drawn) ?? null };
    const fill = 'fill' in verdict ? verdict.fill : 'placeholder';
    return {
      ...described,
      outcome: 'filled',
      reason: fill,
      ...(found && outcomeOf(found.get(wish), fill)),
    };
  });
}

/** The most bytes of a published URL without its words, its `&` written as references, and of an image that is drawn. */
const bytesMax = { url: 700, drawn: 1_200 };

/** The most bytes by which a text becomes longer, whichever of its images are found. */
function growthOf(shown: readonly (readonly [Place, Shown])[], imagesMax = Infinity): number {
  let drawn = 0;
  const found = new Map<ImageWish, number>();
  for (const [{ kind }, { words, wish }] of shown) {
    // Of a `srcset`, one for each width; the URL stands in the report too.
    const urls = kind === 'img' || kind === 'source' ? pageWidths.length + 3 : 3;
    const image = typeof wish?.of === 'object' ? wish.of : wish;
    if (image) found.set(image, (found.get(image) ?? 0) + urls * (bytesMax.url + 9 * words.text.length));
    else drawn += bytesMax.drawn;
  }
  const most = [...found.values()].sort((a, b) => b - a).slice(0, imagesMax);
  return most.reduce((sum, each) => sum + each, drawn);
}
