/** Reports which images on the pages of an account are gone. */

import { createExpiringCache } from '../base/expiring-cache';
import type { StockMemory } from '../base/item-store';
import type { KeyedCaller } from '../credentials/caller';
import type { PickedImages } from '../images/picked-images';
import type { GoneImages } from '../quota/usage/usage-schema';
import { readPages } from './page-memory';

interface ReportGoneDeps {
  readonly stockMemory: Pick<StockMemory, 'read'>;
  readonly pickedImages: Pick<PickedImages, 'about'>;
}

/** Images that are looked at for one report; those of the pages that were begun last. */
const shownImagesMax = 400;
/** How long a report is shown again without another read, in milliseconds. */
const reportKeptMs = 60_000;
const reportsKeptMax = 100;

/** @throws when a table does not answer */
export type ReportGone = (
  caller: Pick<KeyedCaller, 'kind' | 'account'>,
  nowMs: number,
) => Promise<GoneImages>;

/** One read for each account and minute, however often it is asked for. */
export function createReportGone({ stockMemory, pickedImages }: ReportGoneDeps): ReportGone {
  const kept = createExpiringCache<Promise<GoneImages>>(reportsKeptMax);

  const report: ReportGone = async (caller) => {
    const shown = [...(await readPages(stockMemory, caller))].flatMap(([page, slots]) =>
      [...slots.values()].map(({ pick, shows = pick }) => ({ page, pick: shows })),
    );
    const images = shown.slice(0, shownImagesMax).map(async (image) => {
      return { ...image, ...(await pickedImages.about(image.pick)) };
    });
    const gone = (await Promise.all(images)).filter(({ isGone }) => isGone);
    const pages = [...new Set(gone.map(({ page }) => page))];
    return pages.map((page) => ({
      page,
      picks: gone.filter((each) => each.page === page).map(({ pick }) => pick),
    }));
  };

  return (caller, nowMs) => {
    const name = `${caller.kind}#${caller.account}`;
    const known = kept.get(name, nowMs);
    if (known) return known;
    const reading = report(caller, nowMs);
    kept.set(name, reading, nowMs + reportKeptMs);
    reading.catch(() => kept.delete(name));
    return reading;
  };
}
