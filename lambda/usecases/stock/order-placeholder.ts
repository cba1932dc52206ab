/** Has the placeholder made of an image that its provider crops and says no BlurHash of: in the background, by one request of all. */

import { isPlaceholder } from '../../contract/messages/rendition-outcome';
import { placeholderClaimMs } from '../../contract/timeouts';
import { isAllowedUrl } from '../../domain/image/allowed-url';
import type { Candidate, Placeholder } from '../../domain/image/image';
import type { StockRequest } from '../../domain/request/image-request';
import type { Background } from '../../ports/background';
import type { Ids } from '../../ports/clock';
import type { LookupCache } from '../../ports/lookup-cache';
import type { PlaceholderMaker } from '../../ports/placeholder-maker';
import type { StockProvider } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import { placeholderKey, smallSizeOf } from './placeholder-key';

export interface OrderPlaceholderDeps {
  readonly lookups: Pick<LookupCache, 'lease' | 'release'>;
  readonly background: Background;
  readonly placeholders: Pick<PlaceholderMaker, 'ofImage'>;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Pick<Telemetry, 'error'>;
}

/**
 * @param pick public id of the image
 * @param deadlineMs moment (epoch) until which a request for the placeholder alone waits for it; no other one waits
 * @returns the placeholder where it is there; `undefined` where it is being made, or cannot be. Never throws.
 */
export async function orderPlaceholder(
  { lookups, background, placeholders, ids, telemetry }: OrderPlaceholderDeps,
  provider: StockProvider,
  candidate: Candidate,
  pick: string,
  { widthPx, heightPx, asPlaceholder, filters: { crop } }: StockRequest,
  deadlineMs: number,
): Promise<Placeholder | undefined> {
  const { allowedHosts } = provider.capability;
  const size = smallSizeOf({ widthPx, heightPx });
  const source = provider.sourceFor(candidate, size, crop ?? 'attention');
  if (!source || source.kind === 'draw' || !isAllowedUrl(source.url, allowedHosts)) return undefined;
  const key = placeholderKey(pick, { widthPx, heightPx }, crop);
  const holder = ids.hex(8);
  try {
    const lease = await lookups.lease<Placeholder>(key, holder, placeholderClaimMs);
    if (lease.outcome === 'fresh') return isPlaceholder(lease.cached.value) ? lease.cached.value : undefined;
    if (lease.outcome === 'busy') return undefined;
    const how = { ...size, ...(crop && { crop }) };
    const order = { kind: 'make-placeholder', key, url: source.url, allowedHosts, ...how } as const;
    if (asPlaceholder) return await placeholders.ofImage(order, deadlineMs);
    await background.handOver(order);
  } catch (error) {
    telemetry.error('A placeholder was not made', error, { provider: provider.name });
    await lookups.release(key, holder).catch(() => undefined); // The lease ends by itself.
  }
  return undefined;
}
