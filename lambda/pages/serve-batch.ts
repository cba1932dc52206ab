/** Serves all images of a page at once: none twice, none that is excluded, and each charged by itself. */

import type { ConcurrencyBound } from '../base/concurrency';
import type { Caller, KeyedCaller } from '../credentials/caller';
import { aiImageIdentity } from '../generation/ai-image-identity';
import { pickOfAiImage } from '../images/picked-images';
import { refusalAfterError } from '../problems/problem';
import type { Answer } from '../quota/answer';
import { paymentAfter } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import { testValueOf } from '../quota/test-value';
import type { AiRequest, ImageRequest, StockRequest } from '../requests/image-request';
import type { Services } from '../services';
import { aiInsteadOf, serveAiImage, serveImage, serveStockImage } from '../serving/serve-image';
import type { PageReservations } from '../stock/search/search-context';
import type { PublishParameter } from './publishing';

/** A valid image of a batch. */
export interface BatchEntry {
  /** Names the image within the page; different for each entry. */
  readonly slot: string;
  readonly request: ImageRequest;
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
  const shownIn = new Map(exclude.map((pick) => [pick, excluded]));
  const charging: ConcurrencyBound = { free: 1, waiting: [] };
  let turn: Promise<unknown> = Promise.resolve();
  const serving: Promise<Answer>[] = [];
  for (const [index, { slot: name, request }] of entries.entries()) {
    const requestId = `${context.requestId}.${index}`;
    const slot = new PageSlot(name, shownIn, turn, charging);
    const answer = serveEntry(services, slot, request, caller, { ...context, requestId }).catch(
      (error: unknown): Answer => {
        services.telemetry.error('An image of a batch failed', error, { requestId });
        const payment = paymentAfter(error);
        return { outcome: 'refused', refusal: refusalAfterError(error), ...(payment && { payment }) };
      },
    );
    serving.push(answer);
    if (request.provider !== 'ai' && request.pick === undefined)
      turn = Promise.all([turn, Promise.race([slot.decided, answer])]);
  }
  return Promise.all(serving);
}

/** Stands for `exclude` where a slot is named; no slot is empty. */
const excluded = '';

/** A slot among the others of its page. */
class PageSlot implements PageReservations {
  /** Resolves when the slot has its stock image or will have none: the slots after it may choose. */
  readonly decided: Promise<void>;
  private decide: () => void = () => undefined;
  private reserved: string | undefined;
  /** Whether the last image that was to be reserved is excluded, or shown by another slot. */
  isDuplicate = false;

  constructor(
    private readonly name: string,
    /** Image → slot that shows it, or `excluded`. */
    private readonly shownIn: Map<string, string>,
    /** Resolves when every slot before this one has its image, or will have none. */
    private readonly turn: Promise<unknown>,
    /** Lets one slot be charged at a time, in their order: where the quota ends, the last are refused. */
    readonly charging: ConcurrencyBound,
  ) {
    this.decided = new Promise((resolve) => {
      this.decide = resolve;
    });
  }

  /** Takes an image in its turn, in place of one that could not be delivered. @returns whether it is free */
  async reserve(pick: string): Promise<boolean> {
    await this.turn;
    if (this.reserved !== pick) this.release();
    this.isDuplicate = this.isTaken(pick);
    if (this.isDuplicate) return false;
    this.shownIn.set(pick, this.name);
    this.reserved = pick;
    this.decide();
    return true;
  }

  /** Lets the slots after this one choose, also the reserved image if it was not served. */
  endChoice(isServed: boolean): void {
    if (!isServed) this.release();
    this.decide();
  }

  private release(): void {
    if (this.reserved !== undefined) this.shownIn.delete(this.reserved);
    this.reserved = undefined;
  }

  /** Takes all names of an image, or none. @returns whether they are free */
  show(names: readonly string[]): boolean {
    if (names.some((name) => this.isTaken(name))) return false;
    for (const name of names) this.shownIn.set(name, this.name);
    return true;
  }

  private isTaken(image: string): boolean {
    return (this.shownIn.get(image) ?? this.name) !== this.name;
  }
}

async function serveEntry(
  services: Services,
  slot: PageSlot,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  if (request.pick !== undefined)
    return serveNamed(slot, [request.pick], () => serveImage(services, request, caller, context));
  if (testValueOf(services, request, caller)) return serveImage(services, request, caller, context);
  if (request.provider === 'ai') return serveGenerated(services, slot, request, caller, context);
  const answer = await serveChosen(services, slot, request, context);
  const instead = aiInsteadOf(answer, request, context);
  return instead ? serveGenerated(services, slot, instead.request, caller, instead.context) : answer;
}

/** Serves an AI image that no other entry shows. */
async function serveGenerated(
  services: Services,
  slot: PageSlot,
  request: AiRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  if (caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  const names = namesOfGenerated(request, caller);
  return serveNamed(slot, names, () => serveAiImage(services, request, caller, context));
}

/** Serves the best stock image that no other slot shows, and reserves it before it is rendered. */
async function serveChosen(
  services: Services,
  slot: PageSlot,
  request: StockRequest,
  context: RequestContext,
): Promise<Answer> {
  // Where the quota ends within the batch, the last slots are refused.
  const inTurn = { ...context, chargesInTurn: slot.charging };
  let answer: Answer | undefined;
  try {
    answer = await serveStockImage(services, request, inTurn, slot);
  } finally {
    slot.endChoice(answer?.outcome === 'served');
  }
  return slot.isDuplicate && answer.outcome === 'refused' ? { ...answer, ...duplicate } : answer;
}

const duplicate = { outcome: 'refused', refusal: { code: 'duplicate_image' } } as const;

/** Serves an image of known names; one that is excluded or that another slot shows is refused at no cost. */
async function serveNamed(
  slot: PageSlot,
  names: readonly string[],
  serve: () => Promise<Answer>,
): Promise<Answer> {
  return slot.show(names) ? serve() : duplicate;
}

/** The names of an AI image before it is made: its id and pick; for `alt`, the base's id and the number. */
function namesOfGenerated(request: AiRequest, caller: KeyedCaller): readonly string[] {
  const { imageId } = aiImageIdentity(request, caller, request.variation);
  return request.alt === undefined ? [imageId, pickOfAiImage(imageId)] : [`${imageId}.${request.alt}`];
}
