/** Serves all images of a page at once: none twice, none that is excluded, and each charged by itself. */

import { type ConcurrencyBound, withinBound } from '../base/concurrency';
import type { Caller, KeyedCaller } from '../credentials/caller';
import { generationIdentity } from '../generation/generation-identity';
import type { Answer } from '../images/answer';
import { pickOfAiImage } from '../images/picked-images';
import { refusalOfFault } from '../problems/problem';
import { charge } from '../quota/charge';
import { paymentOf } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { AiRequest, ImageRequest, StockRequest } from '../requests/image-request';
import type { Services } from '../services';
import { aiInsteadOf, serveAiImage, serveImage } from '../serving/serve-image';
import { serveStock } from '../stock/serve-stock';
import { testValueOf } from '../test-values';
import type { PublishParameter } from './publishing';

/** One image of a batch. */
export interface BatchEntry {
  /** Names the image within the page; different for each entry. */
  readonly slot: string;
  readonly request: ImageRequest;
  /** The fields that have no effect. */
  readonly note?: string;
}

/** A batch that was read. */
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
  const serving: Promise<Answer>[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  for (const [index, { slot, request }] of entries.entries()) {
    const requestId = `${context.requestId}.${index}`;
    let decide: () => void = () => undefined;
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const entry = { slot, shownIn, turn, decide, charging };
    const served = serveEntry(services, entry, request, caller, { ...context, requestId }).catch(
      (error: unknown): Answer => {
        services.telemetry.error('An image of a batch failed', error, { requestId });
        const payment = paymentOf(error);
        return { outcome: 'refused', refusal: refusalOfFault(error), ...(payment && { payment }) };
      },
    );
    serving.push(served);
    if (request.provider !== 'ai' && request.pick === undefined)
      turn = Promise.all([turn, Promise.race([decided, served])]);
  }
  return Promise.all(serving);
}

/** Stands for `exclude` where a slot is named; no slot is empty. */
const excluded = '';

/** An entry among the others of its page. */
interface PageEntry {
  readonly slot: string;
  /** Image → slot that shows it, or `excluded`. */
  readonly shownIn: Map<string, string>;
  /** Resolves when every entry before this one has its image, or will have none. */
  readonly turn: Promise<unknown>;
  /** Lets the entries after this one choose. */
  readonly decide: () => void;
  /** Lets one entry be charged at a time, in their order: where the quota ends, the last ones are refused. */
  readonly charging: ConcurrencyBound;
}

async function serveEntry(
  services: Services,
  entry: PageEntry,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  if (request.pick !== undefined)
    return serveNamed(entry, [request.pick], () => serveImage(services, request, caller, context));
  if (testValueOf(services, request, caller)) return serveImage(services, request, caller, context);
  if (request.provider === 'ai') return serveGenerated(services, entry, request, caller, context);
  const answer = await serveOnPage(services, entry, request, context);
  const instead = aiInsteadOf(answer, request, context);
  return instead ? serveGenerated(services, entry, instead.request, caller, instead.context) : answer;
}

/** Serves an AI image that no other entry shows. */
async function serveGenerated(
  services: Services,
  entry: PageEntry,
  request: AiRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  if (caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  const names = namesOfGenerated(request, caller);
  return serveNamed(entry, names, () => serveAiImage(services, request, caller, context));
}

/** Serves the best stock image that no other entry shows, and reserves it before it is rendered. */
async function serveOnPage(
  services: Services,
  { slot, shownIn, turn, decide, charging }: PageEntry,
  request: StockRequest,
  context: RequestContext,
): Promise<Answer> {
  let reserved: string | undefined;
  let isDuplicate = false;
  const release = () => {
    if (reserved !== undefined) shownIn.delete(reserved);
    reserved = undefined;
  };
  const reserve = async (pick: string): Promise<boolean> => {
    await turn;
    // The image that was reserved before could not be delivered.
    if (reserved !== pick) release();
    isDuplicate = (shownIn.get(pick) ?? slot) !== slot;
    if (isDuplicate) return false;
    shownIn.set(pick, slot);
    reserved = pick;
    decide();
    return true;
  };
  const chargeInTurn = () => withinBound(charging, () => charge(services, context));
  let answer: Answer | undefined;
  try {
    answer = await serveStock(services, request, context, { charge: chargeInTurn, reserve });
  } finally {
    if (answer?.outcome !== 'served') release();
    decide();
  }
  return isDuplicate && answer.outcome === 'refused' ? { ...answer, ...duplicate } : answer;
}

const duplicate = { outcome: 'refused', refusal: { code: 'duplicate_image' } } as const;

/** Serves an image of known names; one that is excluded or that another slot shows is refused at no cost. */
async function serveNamed(
  { slot, shownIn }: PageEntry,
  names: readonly string[],
  serve: () => Promise<Answer>,
): Promise<Answer> {
  const isTaken = (name: string) => (shownIn.get(name) ?? slot) !== slot;
  if (names.some(isTaken)) return duplicate;
  for (const name of names) shownIn.set(name, slot);
  return serve();
}

/** The names of an AI image before it is made: its id and pick; for `alt`, the base's id and the number. */
function namesOfGenerated(request: AiRequest, caller: KeyedCaller): readonly string[] {
  const { imageId } = generationIdentity(request, caller, request.variation);
  return request.alt === undefined ? [imageId, pickOfAiImage(imageId)] : [`${imageId}.${request.alt}`];
}
