/** Serves all images of a page at once: none twice, none that is excluded, and each charged by itself. */

import type { ConcurrencyBound } from '../base/concurrency';
import type { Caller } from '../credentials/caller';
import { identifyAiImage } from '../generation/ai-image-identity';
import { foundNoImage } from '../images/image-outcome';
import { pickOfAiImage } from '../images/picked-images';
import { refusalAfterError } from '../problems/problem';
import { type Payment, readPaymentOfError } from '../quota/payment';
import type { AiRequest, ImageRequest, StockRequest } from '../requests/image-request';
import type { Services } from '../services/services';
import type { Answer } from '../serving/answer';
import type { ChargedSlot } from '../serving/find-or-make';
import type { RequestContext } from '../serving/request-context';
import {
  replacementFor,
  serveFromSource,
  serveImage,
  unrefundedPayment,
  withPaymentOf,
} from '../serving/serve-image';
import { readTestValue } from '../serving/test-value';
import type { PublishParameter } from './publishing';

/** A valid image of a batch. */
export interface BatchEntry {
  /** Names the image within the page; different for each entry. */
  readonly pageSlot: string;
  readonly request: ImageRequest;
  /** The AI image that `onmiss=ai` makes in place of a stock image; by default one of the same words. */
  readonly aiRequest?: AiRequest;
  /** The fields that have no effect. */
  readonly note?: string;
}

/** A valid batch. */
export interface Batch extends PublishParameter {
  /** Picks that no entry shows. */
  readonly exclude: readonly string[];
  readonly entries: readonly BatchEntry[];
}

/** Serves the images of a batch: one answer for each entry, in their order. */
export async function serveBatch(
  services: Services,
  { exclude, entries }: Batch,
  caller: Caller,
  context: RequestContext,
): Promise<readonly Answer[]> {
  const shown = new ShownImages(exclude);
  const serving = entries.map(async (entry, index): Promise<Answer> => {
    const requestId = `${context.requestId}.${index}`;
    try {
      return await serveEntry(services, shown, entry, caller, { ...context, requestId });
    } catch (error) {
      services.telemetry.error('An image of a batch failed', error, { requestId });
      const payment = readPaymentOfError(error);
      return { outcome: 'refused', refusal: refusalAfterError(error), ...(payment && { payment }) };
    }
  });
  return Promise.all(serving);
}

/** Stands for `exclude` where a slot of the page is named; no such slot is empty. */
const excluded = '';

/** The images that a page shows, by which none is shown twice. All entries of a batch write it. */
class ShownImages {
  /** Lets one entry be charged at a time, in their order: where the quota ends, the last are refused. */
  readonly charging: ConcurrencyBound = { free: 1, waiting: [] };
  private readonly pageSlotByImage: Map<string, string>;
  /** Resolves when every reservation that has begun is made, or has ended without an image. */
  private reservationsMade: Promise<unknown> = Promise.resolve();

  constructor(exclude: readonly string[]) {
    this.pageSlotByImage = new Map(exclude.map((pick) => [pick, excluded]));
  }

  /** Takes all names of an image for a slot of the page, or none. @returns whether no other slot has one */
  show(pageSlot: string, names: readonly string[]): boolean {
    if (names.some((name) => (this.pageSlotByImage.get(name) ?? pageSlot) !== pageSlot)) return false;
    for (const name of names) this.pageSlotByImage.set(name, pageSlot);
    return true;
  }

  release(name: string): void {
    this.pageSlotByImage.delete(name);
  }

  /** Begins the reservation of a stock image: the entries that began before choose their images first. */
  beginReservation(pageSlot: string): SlotReservation {
    const reservation = new SlotReservation(this, pageSlot, this.reservationsMade);
    this.reservationsMade = Promise.all([this.reservationsMade, reservation.isMade]);
    return reservation;
  }
}

/**
 * The stock image that is reserved for a slot of the page. The search reserves one image after another, until
 * one is delivered; then the entry ends the reservation.
 */
class SlotReservation implements ChargedSlot {
  private letOthersReserve: () => void = () => undefined;
  /** Resolves when the slot has its image, or will have none. */
  readonly isMade = new Promise<void>((resolve) => {
    this.letOthersReserve = resolve;
  });
  /** Whether the last image that was to be reserved is excluded, or shown by another slot. */
  isDuplicate = false;
  private reservedPick: string | undefined;

  constructor(
    private readonly shown: ShownImages,
    private readonly pageSlot: string,
    private readonly earlierReservationsMade: Promise<unknown>,
  ) {}

  get charging(): ConcurrencyBound {
    return this.shown.charging;
  }

  /** Takes an image in its turn, in place of one that could not be delivered. @returns whether it is free */
  async reserve(pick: string): Promise<boolean> {
    await this.earlierReservationsMade;
    if (this.reservedPick !== pick) this.release();
    this.isDuplicate = !this.shown.show(this.pageSlot, [pick]);
    if (this.isDuplicate) return false;
    this.reservedPick = pick;
    this.letOthersReserve();
    return true;
  }

  /** Lets the entries after this one reserve, also the image of this one if it was not served. */
  end(isServed: boolean): void {
    if (!isServed) this.release();
    this.letOthersReserve();
  }

  private release(): void {
    if (this.reservedPick !== undefined) this.shown.release(this.reservedPick);
    this.reservedPick = undefined;
  }
}

/** Serves an entry by the steps of any request, as long as no other entry shows its image. */
async function serveEntry(
  services: Services,
  shown: ShownImages,
  { pageSlot, request, aiRequest }: BatchEntry,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const { pick } = request;
  if (pick !== undefined && !shown.show(pageSlot, [pick])) return duplicate;
  if (pick !== undefined || readTestValue(services, request, caller))
    return serveImage(services, request, caller, context);
  const answer =
    request.source === 'ai'
      ? await serveAiEntry(services, shown, pageSlot, request, caller, context)
      : await serveStockEntry(services, shown, pageSlot, request, caller, context);
  const replacement = replacementFor(request, answer);
  if (!replacement) return answer;
  const payment = unrefundedPayment(answer);
  return withPaymentOf(
    answer,
    await serveAiEntry(services, shown, pageSlot, aiRequest ?? replacement, caller, context, payment),
  );
}

/** Serves an AI image; one that is excluded or that another entry shows is refused at no cost. */
async function serveAiEntry(
  services: Services,
  shown: ShownImages,
  pageSlot: string,
  request: AiRequest,
  caller: Caller,
  context: RequestContext,
  payment?: Payment,
): Promise<Answer> {
  if (caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  const { imageId } = identifyAiImage(request, caller, request.variation);
  // Before an alternative is found, it is known by the id of its base and its number.
  const names = request.alt === undefined ? [imageId, pickOfAiImage(imageId)] : [`${imageId}.${request.alt}`];
  return shown.show(pageSlot, names)
    ? serveFromSource(services, request, caller, context, payment)
    : duplicate;
}

/** Serves the best stock image that no other entry shows, and reserves it before it is rendered. */
async function serveStockEntry(
  services: Services,
  shown: ShownImages,
  pageSlot: string,
  request: StockRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const reservation = shown.beginReservation(pageSlot);
  let answer: Answer | undefined;
  try {
    answer = await serveFromSource(services, request, caller, context, undefined, reservation);
  } finally {
    reservation.end(answer?.outcome === 'served');
  }
  return reservation.isDuplicate && foundNoImage(answer) ? { ...answer, ...duplicate } : answer;
}

const duplicate = { outcome: 'refused', refusal: { code: 'duplicate_image' } } as const;
