/** What is said about a selected stock image beside its URL: stored with it, so that no later request pays for it. */

import { placeholderTimeoutMs } from '../../contract/timeouts';
import { altTextOf, cleaned } from '../../domain/image/alt-text';
import type { Candidate, Placeholder, ServedImage, Size } from '../../domain/image/image';
import { sha256Hex } from '../../domain/request/image-request';
import type { Clock } from '../../ports/clock';
import type { PlaceholderMaker } from '../../ports/placeholder-maker';
import type { Telemetry } from '../../ports/telemetry';

export interface DescribeImageDeps {
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
  provider: string,
  { id, description }: Candidate,
  rendered: Placeholder | undefined,
  size: Size,
  deadlineMs: number,
): Promise<ImageDescription> {
  const { blurHash, color } = description ?? {};
  const placeholder =
    rendered ??
    (blurHash === undefined ? undefined : await ofBlurHash(deps, provider, blurHash, size, deadlineMs));
  const alt = description && altTextOf(description);
  const title = cleaned(description?.title);
  return {
    pick: pickOf(provider, id),
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
