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
    slotByPick: new Map(exclude.map((pick) => [pick, excludedSlot])),
    charging: { free: 1, waiting: [] },
    allChosen: Promise.resolve(),
  };
  const answers = entries.map(async ({ pageSlot, request, aiRequest }, index): Promise<Answer> => {
    const requestId = `${context.requestId}.${index}`;
    const callerRequest = { request, caller, context: { ...context, requestId } };
    try {
      return await serveEntry(services, new EntryMember(reservations, pageSlot), callerRequest, aiRequest);
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
  member: EntryMember,
  callerRequest: CallerRequest<ImageRequest>,
  aiRequest: AiRequest | undefined,
): Promise<Answer> {
  const { request } = callerRequest;
  if (request.pick !== undefined && !member.reserveNow(request.pick))
    return { outcome: 'refused', refusal: { code: 'duplicate_image' } };
  if (request.pick !== undefined || readTestValue(services, callerRequest))
    return serveImage(services, callerRequest);
  // The words of an account's own AI image name one image, so there is nothing to choose.
  if (request.source !== 'ai' || request.alt !== undefined) member.addToQueue();
  try {
    const answer = await serveImage(services, { ...callerRequest, batchMember: member }, aiRequest);
    if (answer.outcome === 'served') member.keep();
    return answer;
  } finally {
    member.end();
  }
}

/** The images that the slots of a batch have reserved, and the queue in which slots choose. */
interface Reservations {
  /** The slot of each pick that is shown. It is `excludedSlot` for a pick that no slot may show. */
  readonly slotByPick: Map<string, string>;
  /** Lets one image be charged at a time. */
  readonly charging: ConcurrencyBound;
  /** Resolves when every slot in the queue has chosen an image or has ended without one. */
  allChosen: Promise<unknown>;
}

/** Stands for `exclude` in place of a slot of the page. No slot has an empty name. */
const excludedSlot = '';

/** An entry that reserves its image. A search reserves one image after another, until one can be delivered. */
class EntryMember implements BatchMember {
  /** True if the last `reserve` failed, because the image is excluded or shown by another slot. */
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
    const { slotByPick } = this.reservations;
    if ((slotByPick.get(pick) ?? this.pageSlot) !== this.pageSlot) return false;
    slotByPick.set(pick, this.pageSlot);
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

  /** Reserves an image after all earlier slots have chosen. The image before it is released. */
  async reserve(pick: string): Promise<boolean> {
    await this.earlierChosen;
    if (this.reservedPick !== pick) this.release();
    this.isDuplicate = !this.reserveNow(pick);
    if (this.isDuplicate) return false;
    this.reservedPick = pick;
    this.endTurn();
    return true;
  }

  /** Keeps the reserved image, because it is served. */
  keep(): void {
    this.reservedPick = undefined;
  }

  /** Releases an image that is not served, and lets the next slot choose. */
  end(): void {
    this.release();
    this.endTurn();
  }

  private release(): void {
    if (this.reservedPick !== undefined) this.reservations.slotByPick.delete(this.reservedPick);
    this.reservedPick = undefined;
  }
}
