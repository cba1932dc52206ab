/** Answers for all images of a page in one call: side by side, none twice, each charged as it would be alone. */

import { createSlots } from '../base/slots';
import type { Telemetry } from '../base/telemetry';
import { type Plans, testGenerationsAtOnce } from '../contract/plans';
import type { KeyedCaller } from '../credentials/caller';
import { generationIdentity } from '../generation/generation-identity';
import type { ServeAi } from '../generation/serve-ai';
import type { Answer } from '../images/answer';
import { refusalOfFault } from '../problems/fault';
import type { Ledger } from '../quota/ledger';
import { FaultAfterCharge, type Payment, paymentOf } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import {
  type AiRequest,
  fingerprintOf,
  type ImageRequest,
  type StockRequest,
} from '../requests/image-request';
import { orGenerated } from '../serving/after-miss';
import { type AnswerTest, answerIfTest, type ServeImage } from '../serving/serve-image';
import type { Curate } from '../stock/curation';
import { createSearchCaller, NotClaimed } from '../stock/search-caller';
import { answerCharged } from '../stock/serve-stock';
import { type DistinctEntry, type DistinctImagesDeps, findDistinct, pickOfImage } from './distinct-images';
import type { FilledSlot, OpenPage, PageMemory, PageSlots } from './page-memory';
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
  /** Images of one page never repeat, across calls too. */
  readonly page?: string;
  readonly entries: readonly BatchEntry[];
}

/** What serves the images of a batch. */
export interface ServeBatchDeps extends DistinctImagesDeps {
  readonly ledger: Ledger;
  readonly serveAi: ServeAi;
  /** Serves an entry that names its image. */
  readonly serve: ServeImage;
  readonly pages: PageMemory;
  readonly plans: Plans;
  /** Absent for a service in which nobody decides about images. */
  readonly curate?: Curate;
  /** Absent where no test values are answered. */
  readonly loadTest?: () => Promise<AnswerTest>;
  readonly telemetry: Telemetry;
}

/** One answer for each entry, in their order. */
export type ServeBatch = (
  batch: Batch,
  caller: KeyedCaller,
  context: RequestContext,
) => Promise<readonly Answer[]>;

/** An entry, its answer, and what its slot shows from now on. */
interface ServedEntry {
  readonly answer: Answer;
  readonly filled?: FilledSlot;
}

/** @throws when the images of the page cannot be read; nothing was charged then. */
export function createServeBatch(deps: ServeBatchDeps): ServeBatch {
  return async ({ page: name, entries }, caller, context) => {
    if (name === undefined) {
      const served = await serveAll(deps, entries, new Map(), caller, context);
      return served.map(({ answer }) => answer);
    }
    const page = await deps.pages.open(caller, name, context.deadlineMs);
    if (page === 'busy')
      return entries.map(() => ({ outcome: 'refused', refusal: { code: 'upstream_unavailable' } }));
    return serveOnPage(deps, entries, page, caller, context);
  };
}

async function serveOnPage(
  deps: ServeBatchDeps,
  entries: readonly BatchEntry[],
  page: OpenPage,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<readonly Answer[]> {
  // A slot with another request than before gives its image back.
  const hashes = new Map(entries.map(({ slot, request }) => [slot, hashOf(request)]));
  const isKept = ([slot, { asked }]: readonly [string, FilledSlot]) =>
    !hashes.has(slot) || hashes.get(slot) === asked;
  const slots = new Map([...page.slots].filter(isKept));
  let served: readonly ServedEntry[];
  try {
    served = await serveAll(deps, entries, slots, caller, context);
  } catch (error) {
    await page.release();
    throw error;
  }
  for (const [index, { slot }] of entries.entries()) {
    const filled = served[index]?.filled;
    if (!filled) continue;
    slots.delete(slot); // Filled last, so forgotten last.
    slots.set(slot, filled);
  }
  await page.save(slots);
  return served.map(({ answer }) => answer);
}

async function serveAll(
  deps: ServeBatchDeps,
  entries: readonly BatchEntry[],
  slots: PageSlots,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<readonly ServedEntry[]> {
  const shownIn = new Map([...slots].map(([slot, { pick }]) => [pick, slot]));
  const counts = new Map<string, number>();
  const { generationsAtOnce } = deps.plans[caller.plan];
  const inTurn = createSlots(caller.kind === 'test' ? testGenerationsAtOnce : generationsAtOnce);
  const serving: Promise<ServedEntry>[] = [];
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
    const entry = { slot, hash, shownIn, turn, decide };
    const filled = slots.get(slot);
    const distinct = { seed: filled?.asked === hash ? filled.seed : undefined, before };
    const generate: Generate = (ai, given) => {
      const { imageId } = generationIdentity(ai, caller, ai.variation);
      return serveNamed(entry, ai.alt === undefined ? imageId : `${imageId}.${ai.alt}`, () =>
        inTurn(() => deps.serveAi(ai, caller, given)),
      );
    };
    const serveUntested = () => {
      if (request.pick !== undefined)
        return serveNamed(entry, request.pick, () => deps.serve(request, caller, own));
      return request.provider === 'ai'
        ? generate(request, own)
        : serveStock(deps, entry, distinct, request, generate, caller, own);
    };
    const testing = deps.loadTest && answerIfTest(deps.loadTest, request, caller, own);
    const answering = testing
      ? testing.then((answer) => (answer ? { answer } : serveUntested()))
      : serveUntested();
    const served = answering.catch((error: unknown): ServedEntry => {
      deps.telemetry.error('An image of a batch failed', error, { requestId: own.requestId });
      const payment = paymentOf(error);
      const refusal = refusalOfFault(error);
      return { answer: { outcome: 'refused', refusal, ...(payment && { payment }) } };
    });
    serving.push(served);
    if (request.provider !== 'ai' && request.pick === undefined)
      turn = Promise.all([turn, Promise.race([decided, served])]);
  }
  return Promise.all(serving);
}

/** An entry among the others of its page. */
interface PageEntry {
  readonly slot: string;
  /** See `hashOf`. */
  readonly hash: string;
  /** Image → slot that shows it. */
  readonly shownIn: Map<string, string>;
  /** Resolves when every entry before this one has its image, or will have none. */
  readonly turn: Promise<unknown>;
  /** Lets the entries after this one choose. */
  readonly decide: () => void;
}

type Generate = (request: AiRequest, context: RequestContext) => Promise<ServedEntry>;

/** Charges the image of an entry when it is chosen: before it is rendered, and after those of the entries before it. */
async function serveStock(
  deps: ServeBatchDeps,
  entry: PageEntry,
  distinct: DistinctEntry,
  request: StockRequest,
  generate: Generate,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<ServedEntry> {
  const { ledger } = deps;
  const { quota, credentialLimits, format, deadlineMs } = context;
  const overLimit = ledger.cachedRefusal([...credentialLimits, quota]);
  if (overLimit) return { answer: { outcome: 'refused', refusal: overLimit } };
  const wanted = (await deps.curate?.current(request, caller.account)) ?? request;
  const { claim, letGo, paymentMade } = createClaim(ledger, entry, context);
  const searchCaller = { ...createSearchCaller(ledger, context), claim };
  const finding = findDistinct(deps, distinct, wanted, format, deadlineMs, searchCaller);
  const image = await finding.catch(async (error: unknown) => {
    letGo();
    const payment = paymentMade();
    throw payment ? new FaultAfterCharge(await ledger.refund(context, payment), error) : error;
  });
  const payment = paymentMade();
  if ('refusal' in image) {
    letGo();
    const after = payment && (await ledger.refund(context, payment));
    return { answer: { outcome: 'refused', refusal: image.refusal, ...(after && { payment: after }) } };
  }
  const { result, seed } = image;
  const free = async () =>
    ({ state: 'free', because: 'no-image', rateLimit: await ledger.lastStatus(quota) }) as const;
  const answer = await answerCharged(ledger, payment ?? (await free()), wanted, context, result);
  if (answer.outcome === 'served')
    return { answer, filled: { asked: entry.hash, pick: pickOfImage(answer.image), seed } };
  letGo();
  entry.decide();
  // An image is generated where no stock image fits, if the request says so.
  let filled: FilledSlot | undefined;
  const generated = await orGenerated(answer, request, context, async (ai, given) => {
    const served = await generate(ai, given);
    filled = served.filled;
    return served.answer;
  });
  return { answer: generated, ...(filled && { filled }) };
}

/** Holds the image of an entry against the others of its page, one at a time, and charges the entry with the first. */
function createClaim(
  ledger: Ledger,
  { slot, shownIn, turn, decide }: PageEntry,
  context: RequestContext,
): {
  readonly claim: (pick: string) => Promise<void>;
  readonly letGo: () => void;
  readonly paymentMade: () => Payment | undefined;
} {
  let { payment } = context;
  let held: string | undefined;
  const letGo = () => {
    if (held !== undefined) shownIn.delete(held);
    held = undefined;
  };
  const claim = async (pick: string): Promise<void> => {
    await turn;
    // The image that was chosen before could not be delivered.
    if (held !== pick) letGo();
    const owner = shownIn.get(pick);
    if (owner !== undefined && owner !== slot) throw new NotClaimed();
    shownIn.set(pick, slot);
    held = pick;
    if (!payment) {
      const charge = await ledger.charge(context);
      if (charge.outcome === 'refused') {
        letGo();
        throw new NotClaimed(charge.refusal);
      }
      payment = charge.payment;
    }
    decide();
  };
  return { claim, letGo, paymentMade: () => payment };
}

/** An entry that means the image of another slot is refused before it costs anything. */
async function serveNamed(
  { slot, hash, shownIn }: PageEntry,
  pick: string,
  serve: () => Promise<Answer>,
): Promise<ServedEntry> {
  const owner = shownIn.get(pick);
  if (owner !== undefined && owner !== slot)
    return { answer: { outcome: 'refused', refusal: { code: 'duplicate_image' } } };
  shownIn.set(pick, slot);
  const answer = await serve();
  if (answer.outcome === 'refused') return { answer };
  const shows = answer.image.pick;
  return { answer, filled: { asked: hash, pick, ...(shows !== undefined && shows !== pick && { shows }) } };
}

/** Of a request but for its size, at which it stays the same image. */
function hashOf(request: ImageRequest): string {
  return fingerprintOf({ ...request, widthPx: 0, heightPx: 0 }).slice(0, 24);
}
