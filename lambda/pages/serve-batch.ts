/** Serves all images of a page at once: none twice, none that is excluded, and each charged by itself. */

import type { ConcurrencyBound } from '../base/concurrency';
import type { Caller } from '../credentials/caller';
import { aiImageIdentity } from '../generation/ai-image-identity';
import { pickOfAiImage } from '../images/picked-images';
import { refusalAfterError } from '../problems/problem';
import type { Answer } from '../quota/answer';
import { paymentOfError } from '../quota/payment';
import type { PageReservations, RequestContext } from '../quota/request-context';
import { testValueOf } from '../quota/test-value';
import type { AiRequest, ImageRequest, StockRequest } from '../requests/image-request';
import type { Services } from '../services/services';
import { aiRequestAfterMiss, serveAiImage, serveImage, serveStockImage } from '../serving/serve-image';
import type { PublishParameter } from './publishing';

/** A valid image of a batch. */
export interface BatchEntry {
  /** Names the image within the page; different for each entry. */
  readonly slot: string;
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
  const page = new Page(exclude);
  const serving = entries.map(async (entry, index): Promise<Answer> => {
    const requestId = `${context.requestId}.${index}`;
    try {
      return await serveEntry(services, page, entry, caller, { ...context, requestId });
    } catch (error) {
      services.telemetry.error('An image of a batch failed', error, { requestId });
      const payment = paymentOfError(error);
      return { outcome: 'refused', refusal: refusalAfterError(error), ...(payment && { payment }) };
    }
  });
  return Promise.all(serving);
}

/** Stands for `exclude` where a slot is named; no slot is empty. */
const excluded = '';

/** The images that a page shows, by which none is shown twice. */
class Page {
  /** Lets one slot be charged at a time, in their order: where the quota ends, the last are refused. */
  readonly charging: ConcurrencyBound = { free: 1, waiting: [] };
  private readonly slotByImage: Map<string, string>;
  /** Resolves when every choice that has begun is made, or has ended without an image. */
  private choicesMade: Promise<unknown> = Promise.resolve();

  constructor(exclude: readonly string[]) {
    this.slotByImage = new Map(exclude.map((pick) => [pick, excluded]));
  }

  /** Takes all names of an image for a slot, or none. @returns whether no other slot has one of them */
  show(slot: string, names: readonly string[]): boolean {
    if (names.some((name) => (this.slotByImage.get(name) ?? slot) !== slot)) return false;
    for (const name of names) this.slotByImage.set(name, slot);
    return true;
  }

  release(name: string): void {
    this.slotByImage.delete(name);
  }

  /** Begins the choice of a stock image for a slot: the slots that began before it choose first. */
  beginChoice(slot: string): Choice {
    const choice = new Choice(this, slot, this.choicesMade);
    this.choicesMade = Promise.all([this.choicesMade, choice.isMade]);
    return choice;
  }
}

/** The choice of a stock image for a slot. */
class Choice implements PageReservations {
  readonly charging: ConcurrencyBound;
  /** Resolves when the slot has its image, or will have none. */
  readonly isMade: Promise<void>;
  /** Whether the last image that was to be reserved is excluded, or shown by another slot. */
  isDuplicate = false;
  private reserved: string | undefined;
  private letOthersChoose: () => void = () => undefined;

  constructor(
    private readonly page: Page,
    private readonly slot: string,
    private readonly earlierChoicesMade: Promise<unknown>,
  ) {
    this.charging = page.charging;
    this.isMade = new Promise((resolve) => {
      this.letOthersChoose = resolve;
    });
  }

  /** Takes an image in its turn, in place of one that could not be delivered. @returns whether it is free */
  async reserve(pick: string): Promise<boolean> {
    await this.earlierChoicesMade;
    if (this.reserved !== pick) this.release();
    this.isDuplicate = !this.page.show(this.slot, [pick]);
    if (this.isDuplicate) return false;
    this.reserved = pick;
    this.letOthersChoose();
    return true;
  }

  /** Lets the slots after this one choose, also the reserved image if it was not served. */
  end(isServed: boolean): void {
    if (!isServed) this.release();
    this.letOthersChoose();
  }

  private release(): void {
    if (this.reserved !== undefined) this.page.release(this.reserved);
    this.reserved = undefined;
  }
}

async function serveEntry(
  services: Services,
  page: Page,
  { slot, request, aiRequest }: BatchEntry,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const { pick } = request;
  if (pick !== undefined)
    return page.show(slot, [pick]) ? serveImage(services, request, caller, context) : duplicate;
  if (testValueOf(services, request, caller)) return serveImage(services, request, caller, context);
  if (request.provider === 'ai') return serveAiEntry(services, page, slot, request, caller, context);
  const answer = await serveStockEntry(services, page, slot, request, context);
  const instead = aiRequestAfterMiss(answer, request, context);
  if (!instead) return answer;
  return serveAiEntry(services, page, slot, aiRequest ?? instead.request, caller, instead.context);
}

/** Serves an AI image; one that is excluded or that another slot shows is refused at no cost. */
async function serveAiEntry(
  services: Services,
  page: Page,
  slot: string,
  request: AiRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  if (caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  const { imageId } = aiImageIdentity(request, caller, request.variation);
  // Before an alternative is found, it is known by the id of its base and its number.
  const names = request.alt === undefined ? [imageId, pickOfAiImage(imageId)] : [`${imageId}.${request.alt}`];
  return page.show(slot, names) ? serveAiImage(services, request, caller, context) : duplicate;
}

/** Serves the best stock image that no other slot shows, and reserves it before it is rendered. */
async function serveStockEntry(
  services: Services,
  page: Page,
  slot: string,
  request: StockRequest,
  context: RequestContext,
): Promise<Answer> {
  const choice = page.beginChoice(slot);
  let answer: Answer | undefined;
  try {
    answer = await serveStockImage(services, request, { ...context, page: choice });
  } finally {
    choice.end(answer?.outcome === 'served');
  }
  return choice.isDuplicate && answer.outcome === 'refused' ? { ...answer, ...duplicate } : answer;
}

const duplicate = { outcome: 'refused', refusal: { code: 'duplicate_image' } } as const;
