/** Serves all images of a batch at once. No image is shown twice. Each image is charged for itself. */

import type { ConcurrencyBound } from '../base/concurrency';
import type { BatchMember } from '../images/batch-member';
import { refuseByError } from '../problems/problem';
import { findPaymentOfError } from '../quota/payment';
import type { AiRequest, ImageRequest } from '../requests/image-request';
import type { Services } from '../services/services';
import type { Answer } from '../serving/answer';
import type { CallerRequest } from '../serving/request-context';
import { serveImage } from '../serving/serve-image';
import { readTestValue } from '../serving/test-value';
import type { PublishParameter } from './publishing';

/** A valid image of a batch. */
export interface BatchEntry {
  /** The caller's name for the image. Each entry has another one. */
  readonly pageSlot: string;
  readonly request: ImageRequest;
  /** The AI image that `onmiss=ai` asks for. By default it has the words of the stock image. */
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

/** Serves the images of a batch. Returns one answer for each entry, in their order. */
export async function serveBatch(
  services: Services,
  { exclude, entries }: Batch,
  { caller, context }: Pick<CallerRequest, 'caller' | 'context'>,
): Promise<readonly Answer[]> {
  const reservations: Reservations = {
    pageSlotByPick: new Map(exclude.map((pick) => [pick, excludedPageSlot])),
    charging: { free: 1, waiting: [] },
    allChosen: Promise.resolve(),
  };
  const answers = entries.map(async ({ pageSlot, request, aiRequest }, index): Promise<Answer> => {
    const requestId = `${context.requestId}.${index}`;
    const callerRequest = { request, caller, context: { ...context, requestId } };
    try {
      return await serveEntry(services, new ReservingEntry(reservations, pageSlot), callerRequest, aiRequest);
    } catch (error) {
      services.telemetry.error('An image of a batch failed', error, { requestId });
      const payment = findPaymentOfError(error);
      return { outcome: 'refused', refusal: refuseByError(error), ...(payment && { payment }) };
    }
  });
  return Promise.all(answers);
}

/** Serves an entry, unless another entry shows its image. */
async function serveEntry(
  services: Services,
  entry: ReservingEntry,
  callerRequest: CallerRequest<ImageRequest>,
  aiRequest: AiRequest | undefined,
): Promise<Answer> {
  const { request } = callerRequest;
  if (request.pick !== undefined && !entry.reserveNow(request.pick))
    return { outcome: 'refused', refusal: { code: 'duplicate_image' } };
  const hasChoice = request.pick === undefined && !readTestValue(services, callerRequest);
  // The words of an account's own AI image name one image, so such an entry need not wait for the others.
  if (hasChoice && (request.source !== 'ai' || request.alt !== undefined)) entry.addToQueue();
  try {
    const memberRequest = { ...callerRequest, ...(hasChoice && { batchMember: entry }) };
    const answer = await serveImage(services, memberRequest, aiRequest);
    if (answer.outcome === 'served') entry.keep();
    return answer;
  } finally {
    entry.end();
  }
}

/** The images that the entries of a batch have reserved, and the queue in which entries choose. */
interface Reservations {
  /** The page slot that shows each pick. It is `excludedPageSlot` for a pick that no entry may show. */
  readonly pageSlotByPick: Map<string, string>;
  /** Lets one image be charged at a time. */
  readonly charging: ConcurrencyBound;
  /** Resolves when every entry in the queue has chosen an image or has ended without one. */
  allChosen: Promise<unknown>;
}

/** Stands for `exclude` in place of a page slot. No page slot is empty. */
const excludedPageSlot = '';

/** An entry that reserves its image. A search reserves one image after another, until one can be delivered. */
class ReservingEntry implements BatchMember {
  /** True if the last `reserve` failed, because the image is excluded or shown by another entry. */
  isDuplicate = false;
  private earlierChosen: Promise<unknown> = Promise.resolve();
  private endTurn: () => void = () => undefined;
  private reservedPick: string | undefined;

  constructor(
    private readonly reservations: Reservations,
    private readonly pageSlot: string,
  ) {}

  get charging(): ConcurrencyBound {
    return this.reservations.charging;
  }

  /** Reserves an image without waiting in the queue. @returns false if it is excluded or shown elsewhere */
  reserveNow(pick: string): boolean {
    const { pageSlotByPick } = this.reservations;
    if ((pageSlotByPick.get(pick) ?? this.pageSlot) !== this.pageSlot) return false;
    pageSlotByPick.set(pick, this.pageSlot);
    this.reservedPick = pick;
    return true;
  }

  /** Takes the last place in the queue. */
  addToQueue(): void {
    const choice = new Promise<void>((resolve) => {
      this.endTurn = resolve;
    });
    this.earlierChosen = this.reservations.allChosen;
    this.reservations.allChosen = Promise.all([this.earlierChosen, choice]);
  }

  /** Reserves an image after all earlier entries have chosen. The image before it is released. */
  async reserve(pick: string): Promise<boolean> {
    await this.earlierChosen;
    if (this.reservedPick !== pick) this.release();
    this.isDuplicate = !this.reserveNow(pick);
    if (!this.isDuplicate) this.endTurn();
    return !this.isDuplicate;
  }

  /** Keeps the reserved image, because it is served. */
  keep(): void {
    this.reservedPick = undefined;
  }

  /** Releases an image that is not served, and lets the next entry choose. */
  end(): void {
    this.release();
    this.endTurn();
  }

  private release(): void {
    if (this.reservedPick !== undefined) this.reservations.pageSlotByPick.delete(this.reservedPick);
    this.reservedPick = undefined;
  }
}
