/** Stores the answer to a request for five minutes. A known image then takes one read. */

import { hashSha256 } from '../base/hash';
import { tryAndLog } from '../base/telemetry';
import { dayMs } from '../base/window';
import type { ServedImage } from '../images/image';
import { computeFingerprint, type StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { readStoredValue, writeItem } from './items';
import type { AnswerServices } from './stock-services';

/** Time for which an answer is stored, in milliseconds. A removed image may be shown for that time. */
const answerTtlMs = 300_000;
/** Time for which the item of an ended answer tells whose rendition has taken a unit of work, in milliseconds. */
const endedAnswerTtlMs = dayMs;

interface AnswerItem {
  readonly image: ServedImage;
  /** Moment until which the image answers the request. */
  readonly endsMs: number;
}

export interface StoredAnswer {
  /** Absent if no answer is stored, or if it has ended. */
  readonly image?: ServedImage;
  /** The pick of the image that has answered the same request in the last day. */
  readonly recentPick?: string | undefined;
}

/** Makes the key of an answer. It depends on the settings, so a changed setting has effect at once. */
function makeAnswerKey(
  { stockSettings }: AnswerServices,
  request: StockRequest,
  format: RenditionFormat,
): string {
  const { bindings, imageDelivery, imageBaseUrl, endpoints } = stockSettings;
  const settings = [bindings, imageDelivery, imageBaseUrl, endpoints];
  return `ANSWER#${hashSha256(JSON.stringify([computeFingerprint(request), format, ...settings]))}`;
}

/** Reads the stored answer to a request from memory or the table. A failing table counts as no answer. */
export async function readStoredAnswer(
  services: AnswerServices,
  request: StockRequest,
  format: RenditionFormat,
): Promise<StoredAnswer> {
  const { clock, stockMemory, tables, telemetry } = services;
  const key = makeAnswerKey(services, request, format);
  const rememberedImage = stockMemory.answers.get(key, clock.nowMs());
  if (rememberedImage) return { image: rememberedImage, recentPick: rememberedImage.pick };
  const readAnswer = () => readStoredValue<AnswerItem>(services, tables.cache, key);
  const answerItem = (await tryAndLog(telemetry, 'An answer was not read', readAnswer))?.value;
  if (!answerItem) return {};
  const { image, endsMs } = answerItem;
  const recentPick = image.pick;
  if (endsMs <= clock.nowMs()) return { recentPick };
  stockMemory.answers.set(key, image, endsMs);
  return { image, recentPick };
}

/** Stores the answer to a request. Never throws. */
export async function storeAnswer(
  services: AnswerServices,
  request: StockRequest,
  format: RenditionFormat,
  image: ServedImage,
): Promise<void> {
  const { clock, stockMemory, tables, telemetry } = services;
  const pk = makeAnswerKey(services, request, format);
  const endsMs = Math.min(clock.nowMs() + answerTtlMs, image.answerEndsMs ?? Infinity);
  const value = { image, endsMs };
  stockMemory.answers.set(pk, image, endsMs);
  await tryAndLog(telemetry, 'An answer was not stored', () =>
    writeItem(services, { TableName: tables.cache, pk, value, endsMs: endsMs + endedAnswerTtlMs }),
  );
}
