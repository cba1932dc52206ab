/** Asks a model for one image. Pauses take no time. */

import { systemClock } from '../../../lambda/base/clock';
import {
  drawImage,
  type Model,
  ModelFailure,
  type ModelRequest,
} from '../../../lambda/generation/models/model';

export const modelRequest: ModelRequest = {
  prompt: 'mountain lake at dawn. A photograph.',
  unwanted: 'text, watermark',
  ratio: '16:9',
  seed: 12345,
  words: 'mountain lake at dawn',
  style: 'photo',
};

/** Asks a model. @param timeMs real time until the deadline of all its requests */
export async function drawWith(model: Model, change: Partial<ModelRequest> = {}, timeMs = 30_000) {
  const pauses: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal) =>
    ms === timeMs ? systemClock.sleep(ms, signal) : void pauses.push(ms);
  try {
    const clock = { ...systemClock, nowMs: () => 0, sleep };
    const drawing = await drawImage(model, { ...modelRequest, ...change }, clock, timeMs);
    if ('refused' in drawing) return { outcome: 'refused', pauses };
    return { outcome: 'image', image: drawing.image, pauses };
  } catch (error) {
    const outcome = error instanceof ModelFailure ? error.kind : 'unknown';
    return { outcome, pauses, message: String(error) };
  }
}
