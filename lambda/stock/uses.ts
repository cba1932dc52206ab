/** Has the use of an image reported to its provider, once for each image, account and UTC day. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { Cache } from '../base/item-store';
import type { Telemetry } from '../base/telemetry';
import { dayWindow } from '../base/window';
import type { ServedImage } from '../images/image';
import type { Background } from '../images/renderer';
import type { RequestContext } from '../quota/request-context';

/** An image whose provider wants each use reported. */
type UsedImage = Pick<ServedImage, 'pick' | 'use'>;

/**
 * Hands the report over, unless that was done today. Never throws.
 * @param owner account of the caller, or `anonymous`
 */
export type NoteUse = (image: UsedImage, owner: string) => Promise<void>;

/** What hands reports over, and counts that it did. */
export interface UsesDeps {
  readonly cache: Pick<Cache, 'take'>;
  /** Loads what hands reports over, which most requests have no need of. */
  readonly loadBackground: () => Promise<Background>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

const usesRememberedMax = 5_000;

/** This instance remembers what it has handed over today. */
export function createNoteUse({ cache, loadBackground, clock, telemetry }: UsesDeps): NoteUse {
  const noted = createExpiringCache<true>(usesRememberedMax);
  return async ({ pick, use }, owner) => {
    if (!use) return;
    const nowMs = clock.nowMs();
    const { label, endMs } = dayWindow(nowMs);
    const key = `USE#${pick}#${owner}#${label}`;
    if (noted.get(key, nowMs)) return;
    noted.set(key, true, endMs);
    const about = { provider: use.provider };
    try {
      if (!(await cache.take(key, [{ name: 'n', limit: 1 }], endMs))) return;
    } catch (error) {
      // Reporting a use twice does less harm than not reporting it.
      telemetry.error('A use of a stock image was not claimed', error, about);
    }
    try {
      await (await loadBackground()).handOver({ kind: 'report-use', ...use });
      telemetry.count('usageReports', { ...about, outcome: 'handed-over' });
    } catch (error) {
      telemetry.count('usageReports', { ...about, outcome: 'lost' });
      telemetry.error('A use was not handed over to be reported', error, about);
    }
  };
}

/** For whom a use is reported once a day: an account, or all anonymous callers together. */
export function ownerOfUse({ quota: { counter } }: Pick<RequestContext, 'quota'>): string {
  return counter.kind === 'account' ? counter.account : 'anonymous';
}
