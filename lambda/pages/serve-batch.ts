/** Answers for all images of a page in one call: side by side, none twice, each charged as it would be alone. */

import type { Telemetry } from '../base/telemetry';
import { type Plans, testGenerationsAtOnce } from '../contract/plans';
import type { KeyedCaller } from '../credentials/caller';
import { generationIdentity } from '../generation/generation-identity';
import type { ServeAi } from '../generation/serve-ai';
import type { Answer } from '../images/answer';
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

export interface BatchEntry {
  /** Names the image within the page; different for each entry. */
  readonly slot: string;
  readonly request: ImageRequest;
}

export interface Batch extends PublishOrder {
  /** Images of one page never repeat, across calls too. */
  readonly page?: string;
  readonly entries: readonly BatchEntry[];
}

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
  // A slot that is asked with other words gives its image back.
  const asked = new Map(entries.map(({ slot, request }) => [slot, hashOfWords(request)]));
  const isKept = ([slot, filled]: readonly [string, FilledSlot]) =>
    !asked.has(slot) || asked.get(slot) === filled.asked;
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
  const taken = new Map([...slots].map(([slot, { pick }]) => [pick, slot]));
  const seen = new Map<string, number>();
  const { generationsAtOnce } = deps.plans[caller.plan];
  const inPlace = createPlaces(caller.kind === 'test' ? testGenerationsAtOnce : generationsAtOnce);
  const serving: Promise<ServedEntry>[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  for (const [index, { slot, request }] of entries.entries()) {
    const asked = hashOfWords(request);
    const before = seen.get(asked) ?? 0;
    seen.set(asked, before + 1);
    const own: RequestContext = { ...context, requestId: `${context.requestId}.${index}` };
    const known = slots.get(slot);
    let decide: () => void = () => undefined;
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const entry = { slot, asked, taken, turn, decide };
    const distinct = { seed: known?.asked === asked ? known.seed : undefined, before };
    const generate: Generate = (ai, given) => {
      const { imageId } = generationIdentity(ai, caller, ai.variation);
      return serveNamed(entry, ai.alt === undefined ? imageId : `${imageId}.${ai.alt}`, () =>
        inPlace(() => deps.serveAi(ai, caller, given)),
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
      const refusal = { code: 'internal_error' } as const;
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
  readonly asked: string;
  /** Image → slot that shows it. */
  readonly taken: Map<string, string>;
  /** Resolves when every entry before this one has its image, or will have none. */
  readonly turn: Promise<unknown>;
  /** Lets the entries after this one choose. */
  readonly decide: () => void;
}

type Generate = (request: AiRequest, context: RequestContext) => Promise<ServedEntry>;

/** Charges the image of an entry when it is chosen: before it is rendered, and after those of the entries before it. */
async function serveStock(
  deps: ServeBatchDeps,
  { slot, asked, taken, turn, decide }: PageEntry,
  distinct: DistinctEntry,
  request: StockRequest,
  generate: Generate,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<ServedEntry> {
  const { ledger } = deps;
  const { quota, credentialLimits = [], format, deadlineMs } = context;
  const known = ledger.cachedRefusal([...credentialLimits, quota]);
  if (known) return { answer: { outcome: 'refused', refusal: known } };
  let payment: Payment | undefined;
  let held: string | undefined;
  const letGo = () => {
    if (held !== undefined) taken.delete(held);
    held = undefined;
  };
  const claim = async (pick: string): Promise<void> => {
    await turn;
    // The image that was chosen before could not be delivered.
    if (held !== pick) letGo();
    const owner = taken.get(pick);
    if (owner !== undefined && owner !== slot) throw new NotClaimed();
    taken.set(pick, slot);
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
  let wanted = (await deps.curate?.current(request, caller.account)) ?? request;
  if (wanted.choice?.isAi) {
    await turn;
    const serve = () => deps.serve(wanted, caller, context);
    const served = await serveNamed({ slot, asked, taken, turn, decide }, wanted.pick ?? '', serve);
    if (served.answer.outcome === 'served') return served;
    wanted = wanted.choice.otherwise;
  }
  const searchCaller = { ...createSearchCaller(ledger, context), claim };
  const finding = findDistinct(deps, distinct, wanted, format, deadlineMs, searchCaller);
  const result = await finding.catch(async (error: unknown) => {
    letGo();
    throw payment ? new FaultAfterCharge(await ledger.refund(context, payment), error) : error;
  });
  if ('found' in result) {
    const { found, seed } = result;
    payment ??= { state: 'free', because: 'no-image', rateLimit: await ledger.lastStatus(quota) };
    const answer = await answerCharged(ledger, payment, wanted, context, found);
    if (answer.outcome === 'served')
      return { answer, filled: { asked, pick: pickOfImage(answer.image), seed } };
    letGo();
    decide();
    // An image is generated where no stock image fits, if the request says so.
    let filled: FilledSlot | undefined;
    const generated = await orGenerated(answer, request, context, async (ai, given) => {
      const served = await generate(ai, given);
      filled = served.filled;
      return served.answer;
    });
    return { answer: generated, ...(filled && { filled }) };
  }
  letGo();
  const { refusal } = result;
  const after = payment && (await ledger.refund(context, payment));
  return { answer: { outcome: 'refused', refusal, ...(after && { payment: after }) } };
}

/** An entry that means the image of another slot is refused before it costs anything. */
async function serveNamed(
  { slot, asked, taken }: PageEntry,
  pick: string,
  serve: () => Promise<Answer>,
): Promise<ServedEntry> {
  const owner = taken.get(pick);
  if (owner !== undefined && owner !== slot)
    return { answer: { outcome: 'refused', refusal: { code: 'duplicate_image' } } };
  taken.set(pick, slot);
  const answer = await serve();
  return answer.outcome === 'served' ? { answer, filled: { asked, pick } } : { answer };
}

/** Runs at most so many pieces of work at a time: the images of a page wait for each other within what their plan allows. */
function createPlaces(places: number) {
  let free = places;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Hash of what is asked for but its size, at which it stays the same image. */
function hashOfWords(request: ImageRequest): string {
  return fingerprintOf({ ...request, widthPx: 0, heightPx: 0 }).slice(0, 24);
}
