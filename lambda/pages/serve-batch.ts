/** Answers for all images of a page in one call: side by side, none twice, each charged as it would be alone. */

import type { Telemetry } from '../base/telemetry';
import type { KeyedCaller } from '../credentials/caller';
import { generationIdentity } from '../generation/generation-identity';
import type { ServeAi } from '../generation/serve-ai';
import type { Answer } from '../images/answer';
import type { Ledger } from '../quota/ledger';
import { paymentOf } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import {
  type AiRequest,
  fingerprintOf,
  type ImageRequest,
  type StockRequest,
} from '../requests/image-request';
import { orGenerated } from '../serving/after-miss';
import { type AnswerTest, answerIfTest } from '../serving/serve-image';
import type { VisiblePhotos } from '../stock/curation';
import { createSearchCaller } from '../stock/search-caller';
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
  readonly pages: PageMemory;
  /** Photographs of the operator's own; absent for a service without any. */
  readonly photos?: VisiblePhotos;
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
  const ledger = inOrder(deps.ledger);
  const taken = new Map([...slots].map(([slot, { pick }]) => [pick, slot]));
  const seen = new Map<string, number>();
  const serving: Promise<ServedEntry>[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  for (const [index, { slot, request }] of entries.entries()) {
    const asked = hashOfWords(request);
    const before = seen.get(asked) ?? 0;
    seen.set(asked, before + 1);
    const own: RequestContext = { ...context, requestId: `${context.requestId}.${index}` };
    const known = slots.get(slot);
    const entry = { slot, seed: known?.asked === asked ? known.seed : undefined, before, turn };
    const serveUntested = () =>
      request.provider === 'ai'
        ? serveGenerated(deps, slot, asked, request, taken, caller, own)
        : serveStock({ ...deps, ledger }, entry, asked, request, taken, caller, own);
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
    if (request.provider !== 'ai') turn = Promise.all([turn, served]);
  }
  return Promise.all(serving);
}

async function serveStock(
  deps: ServeBatchDeps,
  entry: DistinctEntry,
  asked: string,
  request: StockRequest,
  taken: Map<string, string>,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<ServedEntry> {
  const { ledger, serveAi } = deps;
  const { format, deadlineMs } = context;
  const charge = await ledger.charge(context);
  if (charge.outcome === 'refused') return { answer: charge };
  const searchCaller = createSearchCaller(ledger, context);
  const wanted = (await deps.photos?.added(request, caller.account)) ?? request;
  const finding = findDistinct(deps, taken, entry, wanted, format, deadlineMs, searchCaller);
  const found = finding.then((distinct) => distinct.found);
  const stockAnswer = await answerCharged(ledger, charge.payment, request, context, found);
  // An image is generated where no stock image fits, if the request says so.
  const answer = await orGenerated(stockAnswer, request, context, (ai, given) => serveAi(ai, caller, given));
  const { seed, isExhausted } = await finding;
  if (answer.outcome === 'served')
    return { answer, filled: { asked, pick: pickOfImage(answer.image), seed } };
  return { answer: isExhausted ? { ...answer, refusal: { code: 'duplicate_image' } } : answer };
}

/** An entry that means the image of another slot is refused before it costs anything. */
async function serveGenerated(
  { serveAi }: Pick<ServeBatchDeps, 'serveAi'>,
  slot: string,
  asked: string,
  request: AiRequest,
  taken: Map<string, string>,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<ServedEntry> {
  const { imageId } = generationIdentity(request, caller, request.variation);
  const meant = request.alt === undefined ? imageId : `${imageId}.${request.alt}`;
  const owner = taken.get(meant);
  if (owner !== undefined && owner !== slot)
    return { answer: { outcome: 'refused', refusal: { code: 'duplicate_image' } } };
  taken.set(meant, slot);
  const answer = await serveAi(request, caller, context);
  return answer.outcome === 'served' ? { answer, filled: { asked, pick: meant } } : { answer };
}

/** Hash of what is asked for but its size, at which it stays the same image. */
function hashOfWords(request: ImageRequest): string {
  return fingerprintOf({ ...request, widthPx: 0, heightPx: 0 }).slice(0, 24);
}

/** A ledger that charges one entry after the other, so that a quota that ends leaves out the last ones. */
function inOrder(ledger: Ledger): Ledger {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...ledger,
    charge(...charged) {
      const charging = last.then(() => ledger.charge(...charged));
      last = charging.catch(() => undefined);
      return charging;
    },
  };
}
