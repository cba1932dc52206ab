/** Reports which images the pages of an account show, whose they are, and which of them are gone. */

import { createExpiringCache } from '../base/expiring-cache';
import type { StockMemory } from '../base/item-store';
import type { KeyedCaller } from '../credentials/caller';
import type { AboutPick, PickedImages } from '../images/picked-images';
import type { ShownPage } from '../quota/usage/usage-schema';
import { readPages } from './page-memory';

interface ReportPagesDeps {
  readonly stockMemory: Pick<StockMemory, 'read'>;
  readonly pickedImages: Pick<PickedImages, 'about'>;
}

/** Images that are looked at for one report; those of the pages that were begun last. */
const shownImagesMax = 400;
/** How long a report is shown again without another read, in milliseconds. */
const reportKeptMs = 60_000;
const reportsKeptMax = 100;

/** @throws when a table does not answer */
export type ReportPages = (
  caller: Pick<KeyedCaller, 'kind' | 'account'>,
  nowMs: number,
) => Promise<readonly ShownPage[]>;

export function createReportPages({ stockMemory, pickedImages }: ReportPagesDeps): ReportPages {
  const kept = createExpiringCache<Promise<readonly ShownPage[]>>(reportsKeptMax);

  const report: ReportPages = async (caller) => {
    const shown = [...(await readPages(stockMemory, caller))].flatMap(([page, slots]) =>
      [...slots].map(([slot, { pick }]) => ({ page, slot, pick })),
    );
    const pages = new Map<string, ShownPage['images'][number][]>();
    const images = shown.slice(0, shownImagesMax).map(async ({ page, slot, pick }) => {
      return { page, image: shownImage(slot, pick, await pickedImages.about(pick)) };
    });
    for (const { page, image } of await Promise.all(images))
      pages.set(page, [...(pages.get(page) ?? []), image]);
    return [...pages].map(([page, each]) => ({ page, images: each }));
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

function shownImage(
  slot: string,
  pick: string,
  { isGone, attribution, placeholder }: AboutPick,
): ShownPage['images'][number] {
  return {
    slot,
    pick,
    gone: isGone,
    placeholder: placeholder?.dataUri ?? null,
    credit: attribution?.creditLine ?? null,
    provider: attribution?.providerName ?? null,
    creator: attribution?.creator ?? null,
    license: attribution?.license.name ?? null,
    link: attribution?.landingUrl ?? null,
  };
}
