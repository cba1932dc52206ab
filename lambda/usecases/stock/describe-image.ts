/** What is said about a selected stock image beside its URL: stored with it, so that no later request pays for it. */

import { isPlaceholder } from '../../contract/messages/rendition-outcome';
import { placeholderClaimMs, placeholderTimeoutMs } from '../../contract/timeouts';
import { isAllowedUrl } from '../../domain/image/allowed-url';
import { altTextOf, cleaned } from '../../domain/image/alt-text';
import type { Candidate, Placeholder, ServedImage } from '../../domain/image/image';
import { sha256Hex } from '../../domain/request/image-request';
import type { Clock, Ids } from '../../ports/clock';
import type { LookupCache } from '../../ports/lookup-cache';
import type { Background, PlaceholderMaker } from '../../ports/renderer';
import type { Telemetry } from '../../ports/telemetry';
import { reportNotRendered } from '../not-rendered';
import type { Lookup } from './ask-provider';
import { placeholderKey, smallSizeOf } from './placeholder-key';

export interface DescribeImageDeps {
  readonly lookups: Pick<LookupCache, 'lease' | 'release'>;
  readonly background: Background;
  readonly placeholders: PlaceholderMaker;
  readonly ids: Pick<Ids, 'hex'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Pick<Telemetry, 'info' | 'error' | 'count'>;
}

export type ImageDescription = Pick<ServedImage, 'alt' | 'title' | 'color' | 'placeholder' | 'pick'>;

/**
 * Never throws.
 * @param rendered the placeholder that the renderer made with the image; absent for an image that the provider crops
 */
export async function describeImage(
  deps: DescribeImageDeps,
  lookup: Lookup,
  candidate: Candidate,
  rendered: Placeholder | undefined,
): Promise<ImageDescription> {
  const { id, description } = candidate;
  const { blurHash, color } = description ?? {};
  const pick = pickOf(lookup.provider.name, id);
  const placeholder =
    rendered ??
    (blurHash === undefined
      ? await orderPlaceholder(deps, lookup, candidate, pick)
      : await ofBlurHash(deps, lookup, blurHash));
  const alt = description && altTextOf(description);
  const title = cleaned(description?.title);
  return {
    pick,
    ...(alt === undefined ? {} : { alt }),
    ...(title === undefined ? {} : { title }),
    ...(color === undefined ? {} : { color }),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
}

/** Public id of a provider's image: 80 bits, no secret. */
function pickOf(provider: string, id: string): string {
  return sha256Hex(JSON.stringify(['pick', provider, id])).slice(0, 20);
}

async function ofBlurHash(
  { placeholders, clock, telemetry }: DescribeImageDeps,
  { provider, request: { widthPx, heightPx }, deadlineMs }: Lookup,
  blurHash: string,
): Promise<Placeholder | undefined> {
  const waitEndsMs = Math.min(deadlineMs, clock.nowMs() + placeholderTimeoutMs);
  try {
    return await placeholders.ofBlurHash(blurHash, { widthPx, heightPx }, waitEndsMs);
  } catch (error) {
    reportNotRendered(telemetry, 'placeholder', error, { provider: provider.name });
    return undefined;
  }
}

/**
 * Has the placeholder made of an image that its provider crops and says no BlurHash of: by one request of all. Only a
 * request for the placeholder alone waits for it, until its deadline.
 * @param pick public id of the image
 * @returns the placeholder where it is there; `undefined` where it is being made, or cannot be. Never throws.
 */
async function orderPlaceholder(
  { lookups, background, placeholders, ids, telemetry }: DescribeImageDeps,
  { provider, request, deadlineMs }: Lookup,
  candidate: Candidate,
  pick: string,
): Promise<Placeholder | undefined> {
  const {
    widthPx,
    heightPx,
    asPlaceholder,
    filters: { crop },
  } = request;
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
    reportNotRendered(telemetry, 'placeholder', error, { provider: provider.name });
    await lookups.release(key, holder).catch(() => undefined); // The lease ends by itself.
  }
  return undefined;
}
