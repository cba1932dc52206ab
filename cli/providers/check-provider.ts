/** Asks a provider one small question, to see whether its key works. */

import { randomInt } from 'node:crypto';
import { providerCheckTimeoutMs } from '../../lambda/contract/timeouts';
import { ProviderFailure, type StockProvider } from '../../lambda/stock/stock-provider';
import type { Check } from './views';

/** Never throws: whatever goes wrong is the outcome. */
export async function checkProvider(provider: StockProvider, nowMs: () => number): Promise<Check> {
  const beganMs = nowMs();
  // A CDN may answer a question that was asked before whatever the key is, so each check asks a new one.
  const query = { words: `lake ${randomInt(10_000, 100_000)}`, orientation: 'landscape' } as const;
  try {
    const { length: images } = await provider.search(query, AbortSignal.timeout(providerCheckTimeoutMs));
    return { outcome: 'works', images, tookMs: nowMs() - beganMs };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) return { outcome: 'failed', kind: 'malformed' };
    const { kind, retryAfterMs } = error;
    // It did not like the words, but it has read them.
    if (kind === 'rejected') return { outcome: 'works', images: 0, tookMs: nowMs() - beganMs };
    const wait = retryAfterMs === undefined ? {} : { retryAfterS: Math.ceil(retryAfterMs / 1_000) };
    return { outcome: 'failed', kind, ...wait };
  }
}
