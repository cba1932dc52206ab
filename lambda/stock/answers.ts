/** What requests are answered with, kept for five minutes: all that a known image reads. */

import { orLogged } from '../base/or-logged';
import { sha256Hex } from '../base/sha256-hex';
import { stockSlots } from '../contract/providers';
import { isAllowedUrl } from '../images/allowed-url';
import type { ServedImage } from '../images/image';
import { fingerprintOf, type StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { readItemValue, writeItem } from './items';
import { redirectHostsOf } from './providers/hosts';
import type { KeptAnswer } from './search';
import type { AnswerServices } from './stock-services';

/** How long an answer is kept, in milliseconds: an image that is removed is given out no longer. */
const keptForMs = 300_000;
/** How much longer it is known that its rendition was made, and counted, in milliseconds. */
const madeForMs = 86_400_000;

/** What is known of a request. */
export interface KnownAnswer {
  /** What it is answered with; absent where that is not known, or has ended. */
  readonly image?: ServedImage;
  /** Whether its image was made for this very request before. */
  readonly isMade: boolean;
}

/**
 * Key of the item of an answer. The bindings of the slots are part of it, so that another provider answers at once, and
 * so is how images are delivered.
 */
function answerKey(
  { settings: { bindings, imageDelivery } }: Pick<AnswerServices, 'settings'>,
  request: StockRequest,
  format: RenditionFormat,
): string {
  const setup = [...stockSlots.map((slot) => bindings[slot]), imageDelivery, format];
  return `ANSWER#${sha256Hex(JSON.stringify([fingerprintOf(request), ...setup]))}`;
}

/**
 * What this very request was answered with lately, from memory or by one read. Never throws: what does not
 * answer, or names a host that its provider does not deliver from, knows nothing.
 */
export async function readAnswer(
  services: AnswerServices,
  request: StockRequest,
  format: RenditionFormat,
): Promise<KnownAnswer> {
  const { clock, memory, tables, telemetry } = services;
  const key = answerKey(services, request, format);
  const remembered = memory.answers.get(key, clock.nowMs());
  if (remembered) return { image: remembered.image, isMade: true };
  const reading = () => readItemValue<KeptAnswer>(services, tables.cache, key);
  const answer = (await orLogged(telemetry, 'An answer was not read', reading))?.value;
  if (!answer || answer.endsMs <= clock.nowMs()) return { isMade: answer !== undefined };
  if (!isDelivered(services, answer)) {
    telemetry.error('An answer names a host that its provider does not deliver from', undefined, {
      provider: answer.provider,
    });
    return { isMade: false };
  }
  memory.answers.set(key, answer, answer.endsMs);
  return { image: answer.image, isMade: true };
}

/** Keeps what a request is answered with. Never throws. */
export async function keepAnswer(
  services: AnswerServices,
  request: StockRequest,
  format: RenditionFormat,
  provider: string,
  image: ServedImage,
): Promise<void> {
  const { clock, memory, tables, telemetry } = services;
  const pk = answerKey(services, request, format);
  const endsMs = Math.min(clock.nowMs() + keptForMs, image.keepUntilMs ?? Infinity);
  const value: KeptAnswer = { image, provider, endsMs };
  memory.answers.set(pk, value, endsMs);
  await orLogged(telemetry, 'An answer was not kept', () =>
    writeItem(services, { TableName: tables.cache, pk, value, endsMs: endsMs + madeForMs }),
  );
}

/** Whether browsers may be sent to the URL of an answer: one of the service's own images, or one on a host of its provider. */
function isDelivered({ settings }: AnswerServices, { image, provider }: KeptAnswer): boolean {
  return (
    image.location.startsWith(`${settings.imageBaseUrl}/`) ||
    isAllowedUrl(image.location, redirectHostsOf(provider, settings.endpoints))
  );
}
