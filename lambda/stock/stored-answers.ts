/** Stores the answer to a request for five minutes. A known image then takes one read. */

import { sha256Hex } from '../base/hash';
import { undefinedIfFailed } from '../base/telemetry';
import { dayMs } from '../base/window';
import { stockSlots } from '../contract/providers';
import { isAllowedUrl } from '../images/allowed-url';
import type { ServedImage } from '../images/image';
import { computeFingerprint, type StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { readStoredValue, writeItem } from './items';
import { listRedirectHosts } from './providers/hosts';
import type { AnswerItem, AnswerServices } from './stock-services';

/** Time for which an answer is stored, in milliseconds. A removed image may be shown for that time. */
const answerTtlMs = 300_000;
/** An ended answer shows for this time that its rendition was counted, in milliseconds. */
const endedAnswerTtlMs = dayMs;

export interface StoredAnswer {
  readonly image?: ServedImage;
  /** True if a rendition was counted for this request in the last day. */
  readonly isRenditionCounted: boolean;
}

/** Makes the key of an answer. It has the slots and the delivery, so a change of them shows at once. */
function makeAnswerKey(
  { stockSettings }: AnswerServices,
  request: StockRequest,
  format: RenditionFormat,
): string {
  const { bindings, imageDelivery } = stockSettings;
  const settings = [...stockSlots.map((slot) => bindings[slot]), imageDelivery, format];
  return `ANSWER#${sha256Hex(JSON.stringify([computeFingerprint(request), ...settings]))}`;
}

/** Reads the stored answer to a request from memory or the table. A failing table counts as no answer. */
export async function readStoredAnswer(
  services: AnswerServices,
  request: StockRequest,
  format: RenditionFormat,
): Promise<StoredAnswer> {
  const { clock, stockMemory, tables, telemetry } = services;
  const key = makeAnswerKey(services, request, format);
  const remembered = stockMemory.answers.get(key, clock.nowMs());
  if (remembered) return { image: remembered.image, isRenditionCounted: true };
  const readAnswer = () => readStoredValue<AnswerItem>(services, tables.cache, key);
  const answerItem = (await undefinedIfFailed(telemetry, 'An answer was not read', readAnswer))?.value;
  if (!answerItem || answerItem.endsMs <= clock.nowMs())
    return { isRenditionCounted: answerItem !== undefined };
  if (!mayBeServed(services, answerItem)) {
    const labels = { provider: answerItem.provider };
    telemetry.error('An answer names a host that its provider does not deliver from', undefined, labels);
    return { isRenditionCounted: false };
  }
  stockMemory.answers.set(key, answerItem, answerItem.endsMs);
  return { image: answerItem.image, isRenditionCounted: true };
}

/** Stores the answer to a request. The card of a gone image has no provider. Never throws. */
export async function storeAnswer(
  services: AnswerServices,
  request: StockRequest,
  format: RenditionFormat,
  { image, provider }: Omit<AnswerItem, 'endsMs'>,
): Promise<void> {
  const { clock, stockMemory, tables, telemetry } = services;
  const pk = makeAnswerKey(services, request, format);
  const endsMs = Math.min(clock.nowMs() + answerTtlMs, image.answerEndsMs ?? Infinity);
  const value = { image, provider, endsMs };
  stockMemory.answers.set(pk, value, endsMs);
  await undefinedIfFailed(telemetry, 'An answer was not stored', () =>
    writeItem(services, { TableName: tables.cache, pk, value, endsMs: endsMs + endedAnswerTtlMs }),
  );
}

/** Returns true if an answer's URL is of the service, or on a host that crops for its provider. */
function mayBeServed({ stockSettings }: AnswerServices, { image, provider }: AnswerItem): boolean {
  return (
    image.location.startsWith(`${stockSettings.imageBaseUrl}/`) ||
    (provider !== undefined &&
      isAllowedUrl(image.location, listRedirectHosts(provider, stockSettings.endpoints)))
  );
}
