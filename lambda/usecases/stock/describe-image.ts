/** What is said about a selected stock image beside its URL: stored with it, so that no later request pays for it. */

import { placeholderTimeoutMs } from '../../contract/timeouts';
import { altTextOf, cleaned } from '../../domain/image/alt-text';
import type { Candidate, Placeholder, ServedImage, Size } from '../../domain/image/image';
import { type StockRequest, sha256Hex } from '../../domain/request/image-request';
import type { Clock } from '../../ports/clock';
import type { PlaceholderMaker } from '../../ports/placeholder-maker';
import type { StockProvider } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import { type OrderPlaceholderDeps, orderPlaceholder } from './order-placeholder';

export interface DescribeImageDeps extends Omit<OrderPlaceholderDeps, 'placeholders'> {
  readonly placeholders: PlaceholderMaker;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Pick<Telemetry, 'error'>;
}

export type ImageDescription = Pick<ServedImage, 'alt' | 'title' | 'color' | 'placeholder' | 'pick'>;

/**
 * @param rendered the placeholder that the renderer made with the image; absent for an image that the provider crops
 * @param deadlineMs moment (epoch) by which the image is to be served. Never throws.
 */
export async function describeImage(
  deps: DescribeImageDeps,
  provider: StockProvider,
  candidate: Candidate,
  rendered: Placeholder | undefined,
  request: StockRequest,
  deadlineMs: number,
): Promise<ImageDescription> {
  const { id, description } = candidate;
  const { blurHash, color } = description ?? {};
  const pick = pickOf(provider.name, id);
  const placeholder =
    rendered ??
    (blurHash === undefined
      ? await orderPlaceholder(deps, provider, candidate, pick, request, deadlineMs)
      : await ofBlurHash(deps, provider.name, blurHash, request, deadlineMs));
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
  provider: string,
  blurHash: string,
  { widthPx, heightPx }: Size,
  deadlineMs: number,
): Promise<Placeholder | undefined> {
  const waitEndsMs = Math.min(deadlineMs, clock.nowMs() + placeholderTimeoutMs);
  try {
    return await placeholders.ofBlurHash(blurHash, { widthPx, heightPx }, waitEndsMs);
  } catch (error) {
    telemetry.error('A placeholder was not made', error, { provider });
    return undefined;
  }
}
