/** Answers for all images of a page in one call: side by side, none twice and none that the page shows already, each charged as it would be alone. */

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
import { type ChargingPage, serveStock } from '../serving/serve-stock';
import { testValueOf } from '../serving/test-values';
import type { PublishParameter } from './publishing';

/** One image of a batch. */
export interface BatchEntry {
  /** Names the image within the page; different for each entry. */
  readonly slot: string;
  readonly request: ImageRequest;
  /** What the caller should know of the names of its fields. */
  readonly note?: string;
}

/** A batch that was read. */
export interface Batch extends PublishParameter {
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
  const shownIn = new Map(exclude.map((pick) => [pick, outside]));
  const serving: Promise<Answer>[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  let charging: Promise<unknown> = turn;
  for (const [index, { slot, request }] of entries.entries()) {
    const own: RequestContext = { ...context, requestId: `${context.requestId}.${index}` };
    let decide: () => void = () => undefined;
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const entry = { slot, shownIn, turn, decide };
    const generate: Generate = (ai, given) =>
      caller.kind === 'anonymous'
        ? Promise.resolve({ outcome: 'refused', refusal: { code: 'authentication_required' } })
        : serveNamed(entry, generatedAs(ai, caller), () => serveAiImage(services, ai, caller, given));
    const serveEntry = async (): Promise<Answer> => {
      if (request.pick !== undefined)
        return serveNamed(entry, [request.pick], () => serveImage(services, request, caller, own));
      if (testValueOf(services, request, caller)) return serveImage(services, request, caller, own);
      if (request.provider === 'ai') return generate(request, own);
      // Where the quota ends within the call, the last entries are refused.
      const answer = await serveOnPage(services, entry, request, own, () => {
        const charged = charging.then(() => charge(services, own));
        charging = charged;
        return charged;
      });
      const instead = aiInsteadOf(answer, request, own);
      return instead ? generate(instead.request, instead.context) : answer;
    };
    const served = serveEntry().catch((error: unknown): Answer => {
      services.telemetry.error('An image of a batch failed', error, { requestId: own.requestId });
      const payment = paymentOf(error);
      return { outcome: 'refused', refusal: refusalOfFault(error), ...(payment && { payment }) };
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
  /** Image → slot that shows it, or `outside`. */
  readonly shownIn: Map<string, string>;
  /** Resolves when every entry before this one has its image, or will have none. */
  readonly turn: Promise<unknown>;
  /** Lets the entries after this one choose. */
  readonly decide: () => void;
}

type Generate = (request: AiRequest, context: RequestContext) => Promise<Answer>;

/** Serves the best image of the entry's choice that no other entry shows: it holds one at a time, before it is rendered. */
async function serveOnPage(
  services: Services,
  { slot, shownIn, turn, decide }: PageEntry,
  request: StockRequest,
  context: RequestContext,
  charge: ChargingPage['charge'],
): Promise<Answer> {
  let held: string | undefined;
  let isDuplicate = false;
  const letGo = () => {
    if (held !== undefined) shownIn.delete(held);
    held = undefined;
  };
  const reserve = async (pick: string): Promise<boolean> => {
    await turn;
    // The image that was chosen before could not be delivered.
    if (held !== pick) letGo();
    isDuplicate = (shownIn.get(pick) ?? slot) !== slot;
    if (isDuplicate) return false;
    shownIn.set(pick, slot);
    held = pick;
    decide();
    return true;
  };
  let answer: Answer | undefined;
  try {
    answer = await serveStock(services, request, context, { charge, reserve });
  } finally {
    if (answer?.outcome !== 'served') letGo();
    decide();
  }
  return isDuplicate && answer.outcome === 'refused' ? { ...answer, ...duplicate } : answer;
}

const duplicate = { outcome: 'refused', refusal: { code: 'duplicate_image' } } as const;

/** An entry that means the image of another slot, or one that is excluded, is refused before it costs anything. */
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

/** What an AI image is known by before it is made: its id, which for an alternative is the base's, and its pick. */
function generatedAs(request: AiRequest, caller: KeyedCaller): readonly string[] {
  const { imageId } = generationIdentity(request, caller, request.variation);
  return request.alt === undefined ? [imageId, pickOfAiImage(imageId)] : [`${imageId}.${request.alt}`];
}
