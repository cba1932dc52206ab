/** Has a model draw one image as the generator function does, with pauses that take no time. */

import { type Drawing, draw, type Model, type Wanted } from '../../../lambda/generation/models/model';
import type { Measured } from '../../../lambda/images/sharp/sharp-codec';
import * as sharpCodec from '../../../lambda/images/sharp/sharp-codec';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';

export const wanted: Wanted = {
  prompt: 'mountain lake at dawn. A photograph.',
  unwanted: 'text, watermark',
  ratio: '16:9',
  seed: 12345,
  words: 'mountain lake at dawn',
  style: 'photo',
};

export async function drawnBy(
  model: Model,
  change: Partial<Wanted> = {},
  { measure = sharpCodec.measure as (bytes: Uint8Array) => Promise<Measured>, timeMs = 30_000 } = {},
) {
  const telemetry = createRecordedTelemetry();
  const timed = jest.spyOn(telemetry, 'time');
  const pauses: number[] = [];
  const clock = {
    nowMs: () => 0,
    // Its own end is the one pause that takes its time.
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (ms !== timeMs) return resolve(void pauses.push(ms));
        const timer = setTimeout(resolve, ms);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      }),
  };
  const services = { clock, telemetry, codec: { measure } };
  const drawing: Drawing = await draw(
    services,
    async () => model,
    async () => ({ ...wanted, ...change }),
    timeMs,
  );
  return { drawing, pauses, times: timed.mock.calls, failure: telemetry.errors[0] };
}

/** What drawing ends in, where no image is made. */
export const none = {
  passing: { outcome: 'none', why: 'upstream_unavailable', isUnbilled: true },
  final: { outcome: 'none', why: 'upstream_unavailable', isUnbilled: true },
  unknown: { outcome: 'none', why: 'upstream_unavailable', isUnbilled: false },
  refused: { outcome: 'none', why: 'content_refused', isUnbilled: false },
} as const;
