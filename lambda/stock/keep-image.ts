/** Keeps what a search found: picks, broken images, and the image as the answer to its request, whose use is reported. */

import type { Ids } from '../base/clock';
import type { Cache } from '../base/item-store';
import type { Telemetry } from '../base/telemetry';
import { useClaimMs } from '../contract/timeouts';
import type { ServedImage } from '../images/image';
import type { Background } from '../images/renderer';
import type { Budget } from './budget';
import type { Candidates } from './candidates';
import type { Findings } from './find-at-provider';
import type { KnownImages } from './known-images';
import type { Picks } from './picks';
import type { ProviderSearch } from './provider-request';

export interface KeepDeps {
  readonly known: Pick<KnownImages, 'keyOf' | 'remember' | 'store'>;
  readonly cache: Pick<Cache, 'lease' | 'release'>;
  readonly picks: Picks;
  readonly candidates: Candidates;
  readonly budget: Budget;
  readonly background: Background;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/** What a request is answered with, and until when it may be kept (epoch, milliseconds). */
export type KeptImage = ServedImage & { readonly keepUntilMs: number };

/** Stores what a search has learnt about a provider's images. Never throws. */
export async function keepFindings(
  { picks, candidates }: Pick<KeepDeps, 'picks' | 'candidates'>,
  search: ProviderSearch,
  { picks: newPicks, offer, broken }: Findings,
): Promise<void> {
  await Promise.all([
    ...newPicks.map((pick) => picks.keep(search.provider.name, pick)),
    offer && candidates.markBroken(search, offer, broken),
  ]);
}

/**
 * Stores an image as the answer to a request. Where the provider wants each use reported, exactly one of the requests
 * for the same image hands the report over, and its request is taken from the provider's budget. Never throws.
 * @returns the image to be served: another request's, where that one has stored its answer meanwhile; `undefined` when
 * the budget has no request left to report the use with
 */
export async function keepImage(
  { known, cache, budget, background, ids, telemetry }: KeepDeps,
  { provider, request, format, caller }: ProviderSearch,
  image: KeptImage,
  reportUrl: string | undefined,
): Promise<ServedImage | undefined> {
  const key = known.keyOf(request, format);
  if (reportUrl === undefined) {
    await known.store(key, image, image.keepUntilMs);
    return image;
  }
  const about = { provider: provider.name };
  const holder = ids.hex(8);
  try {
    const lease = await cache.lease<ServedImage>(key, holder, useClaimMs);
    if (lease.outcome !== 'leased') {
      const { value, freshUntilMs } =
        lease.outcome === 'fresh' ? lease.stored : { value: image, freshUntilMs: image.keepUntilMs };
      known.remember(key, value, freshUntilMs);
      return value;
    }
  } catch (error) {
    // Reporting a use twice does less harm than not reporting it.
    telemetry.error('A use of a stock image was not claimed', error, about);
  }
  if (await budget.take(provider, caller.share)) {
    telemetry.count('providerFailures', { ...about, kind: 'budget' });
    await cache.release(key, holder).catch(() => undefined); // It ends by itself.
    return undefined;
  }
  await known.store(key, image, image.keepUntilMs);
  try {
    await background.handOver({ kind: 'report-use', provider: provider.name, url: reportUrl });
    telemetry.count('usageReports', { ...about, outcome: 'handed-over' });
  } catch (error) {
    telemetry.count('usageReports', { ...about, outcome: 'lost' });
    telemetry.error('A use was not handed over to be reported', error, about);
  }
  return image;
}
