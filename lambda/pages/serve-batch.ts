/** Answers for all images of a page in one call: side by side, none twice and none that the page shows already, each charged as it would be alone. */

import type { Caller, KeyedCaller } from '../credentials/caller';
import { generationIdentity } from '../generation/generation-identity';
import type { Answer } from '../images/answer';
import { pickOfAiImage } from '../images/picked-images';
import { type Refusal, refusalOfFault } from '../problems/problem';
import { charge, refund, refusalRemembered, statusOf } from '../quota/charge';
import { FaultAfterCharge, freePayment, paymentOf } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import {
  type AiRequest,
  fingerprintOf,
  type ImageRequest,
  type StockRequest,
} from '../requests/image-request';
import type { Services } from '../services';
import { orGenerated, serveImage } from '../serving/serve-image';
import { isTestValue } from '../serving/test-values';
import { searchCallerOf } from '../stock/search-caller';
import { answerCharged } from '../stock/serve-stock';
import { findDistinct } from './distinct-images';
import type { PublishOrder } from './publishing';

/** One image of a batch. */
export interface BatchEntry {
  /** Names the image within the page; different for each entry. */
  readonly slot: string;
  readonly request: ImageRequest;
  /** What the caller should know of the names of its fields. */
  readonly note?: string;
}

/** A batch that was read. */
export interface Batch extends PublishOrder {
  /** Picks that no entry shows. */
  readonly exclude: readonly string[];
  readonly entries: readonly BatchEntry[];
}

/** One answer for each entry, in their order. */
export async function serveBatch(
  services: Services,
  { exclude, entries }: Batch,
  caller: Caller,
  context: RequestContext,
): Promise<readonly Answer[]> {
  const { telemetry } = services;
  const shownIn = new Map(exclude.map((pick) => [pick, outside]));
  const counts = new Map<string, number>();
  const serving: Promise<Answer>[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  for (const [index, { slot, request }] of entries.entries()) {
    const hash = hashOf(request);
    const before = counts.get(hash) ?? 0;
    counts.set(hash, before + 1);
    const own: RequestContext = { ...context, requestId: `${context.requestId}.${index}` };
    let decide: () => void = () => undefined;
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const entry = { slot, before, shownIn, turn, decide };
    const generate: Generate = (ai, given) =>
      caller.kind === 'anonymous'
        ? Promise.resolve({ outcome: 'refused', refusal: { code: 'authentication_required' } })
        : serveNamed(entry, generatedAs(ai, caller), async () => {
            const { serveAi } = await import('../stock/new-images');
            return serveAi(services, ai, caller, given);
          });
    const serveEntry = async () => {
      if (request.pick !== undefined)
        return serveNamed(entry, [request.pick], () => serveImage(services, request, caller, own));
      if (caller.kind === 'test' && isTestValue(request.query))
        return serveImage(services, request, caller, own);
      return request.provider === 'ai'
        ? generate(request, own)
        : serveStock(services, entry, request, generate, own);
    };
    const served = serveEntry().catch((error: unknown): Answer => {
      telemetry.error('An image of a batch failed', error, { requestId: own.requestId });
      const payment = paymentOf(error);
      const refusal = refusalOfFault(error);
      return { outcome: 'refused', refusal, ...(payment && { payment }) };
    });
    serving.push(served);
    if (request.provider !== 'ai' && request.pick === undefined)
      turn = Promise.all([turn, Promise.race([decided, served])]);
  }
  return Promise.all(serving);
}

/** Stands for the page, beside the slots of the call, which are never empty. */
const outside = '';

/** An entry among the others of its page. */
interface PageEntry {
  readonly slot: string;
  /** Entries before this one with the same request: they are expected to show as many of the best images. */
  readonly before: number;
  /** Image → slot that shows it, or `outside`. */
  readonly shownIn: Map<string, string>;
  /** Resolves when every entry before this one has its image, or will have none. */
  readonly turn: Promise<unknown>;
  /** Lets the entries after this one choose. */
  readonly decide: () => void;
}

type Generate = (request: AiRequest, context: RequestContext) => Promise<Answer>;

/** Charges the image of an entry when it is chosen: before it is rendered, and after those of the entries before it. */
async function serveStock(
  services: Services,
  entry: PageEntry,
  request: StockRequest,
  generate: Generate,
  context: RequestContext,
): Promise<Answer> {
  const overLimit = refusalRemembered(services, context.requestLimits);
  if (overLimit) return { outcome: 'refused', refusal: overLimit };
  const claimed = claimFor(services, entry, context);
  const caller = { ...searchCallerOf(services, context), claim: claimed.claim };
  const found = await findDistinct(services, entry.before, request, context, caller).catch(
    async (error: unknown) => {
      claimed.letGo();
      const payment = claimed.payment();
      if (!payment) throw error;
      await refund(services, payment);
      throw new FaultAfterCharge(payment, error);
    },
  );
  const payment = claimed.payment();
  const refusal = claimed.refusal();
  if (found.outcome !== 'found' && refusal) {
    claimed.letGo();
    if (payment) await refund(services, payment);
    return { outcome: 'refused', refusal, ...(payment && { payment }) };
  }
  const free = async () => freePayment('no-image', await statusOf(services, context));
  const answer = await answerCharged(services, payment ?? (await free()), found);
  if (answer.outcome === 'served') return answer;
  claimed.letGo();
  entry.decide();
  // An image is generated where no stock image fits, if the request says so.
  return orGenerated(answer, request, context, generate);
}

/** Holds the image of an entry against the others of its page, one at a time, and charges the entry with the first. */
function claimFor(services: Services, { slot, shownIn, turn, decide }: PageEntry, context: RequestContext) {
  let { payment } = context;
  let refusal: Refusal | undefined;
  let held: string | undefined;
  const letGo = () => {
    if (held !== undefined) shownIn.delete(held);
    held = undefined;
  };
  /** @returns whether the entry may show the image */
  const claim = async (pick: string): Promise<boolean> => {
    await turn;
    // The image that was chosen before could not be delivered.
    if (held !== pick) letGo();
    if (refusal && refusal.code !== 'duplicate_image') return false;
    if ((shownIn.get(pick) ?? slot) !== slot) {
      refusal = { code: 'duplicate_image' };
      return false;
    }
    shownIn.set(pick, slot);
    held = pick;
    if (!payment) {
      const charged = await charge(services, context);
      if (charged.outcome === 'refused') {
        letGo();
        refusal = charged.refusal;
        return false;
      }
      payment = charged.payment;
    }
    decide();
    return true;
  };
  return { claim, letGo, payment: () => payment, refusal: () => refusal };
}

/** An entry that means the image of another slot, or one that is excluded, is refused before it costs anything. */
async function serveNamed(
  { slot, shownIn }: PageEntry,
  names: readonly string[],
  serve: () => Promise<Answer>,
): Promise<Answer> {
  const isTaken = (name: string) => (shownIn.get(name) ?? slot) !== slot;
  if (names.some(isTaken)) return { outcome: 'refused', refusal: { code: 'duplicate_image' } };
  for (const name of names) shownIn.set(name, slot);
  return serve();
}

/** What an AI image is known by before it is made: its id, which for an alternative is the base's, and its pick. */
function generatedAs(request: AiRequest, caller: KeyedCaller): readonly string[] {
  const { imageId } = generationIdentity(request, caller, request.variation);
  return request.alt === undefined ? [imageId, pickOfAiImage(imageId)] : [`${imageId}.${request.alt}`];
}

/** Of a request but for its size, at which it stays the same image. */
function hashOf(request: ImageRequest): string {
  return fingerprintOf({ ...request, widthPx: 0, heightPx: 0 }).slice(0, 24);
}
