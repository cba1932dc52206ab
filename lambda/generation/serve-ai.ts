/** Answers a request for an AI image: reuses what exists, has made what does not, and charges each delivery once. */

import type { Telemetry } from '../base/telemetry';
import { choiceBounds } from '../contract/request-bounds';
import { renditionReserveMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import { type Answer, withStandingCharge } from '../images/answer';
import { isThrottle, type RateLimitStatus } from '../problems/problem';
import type { Charges } from '../quota/charges';
import { type Meter, paidMeter } from '../quota/meter';
import type { RequestContext } from '../quota/request-context';
import type { AiRequest } from '../requests/image-request';
import { type BoundsDeps, boundsOf, takeFree } from './bounds';
import type { RenditionService } from './deliver';
import type { Generation } from './generation';
import {
  type GenerationIdentity,
  generationIdentity,
  type ImageKey,
  similarityKeyOf,
} from './generation-identity';
import type { GenerationIndex } from './generation-index';
import type { MadeImage, MakeImage } from './make-image';
import { payFor } from './pay-for';
import { type LostImage, markLost } from './replace-lost';

export interface ServeAiDeps extends BoundsDeps {
  readonly index: GenerationIndex;
  readonly charges: Charges;
  readonly make: MakeImage;
  readonly renditions: RenditionService;
  readonly meter: Meter;
  readonly telemetry: Telemetry;
}

export type ServeAi = (request: AiRequest, caller: KeyedCaller, context: RequestContext) => Promise<Answer>;

/** Public images of one similarity key that are read for `alt`, oldest first: the highest `alt` and the caller's own base. */
const alternativesMax = choiceBounds.max + 1;

/** @throws when a table fails; an ordinary charge has been given back by then. */
export function createServeAi(unpaid: ServeAiDeps): ServeAi {
  return async (request, caller, context) => {
    const deps = context.paid ? { ...unpaid, meter: paidMeter(context.paid) } : unpaid;
    const answer = await serveWhole(deps, request, caller, context);
    // Every refusal from here on carries the rate limit status, also one that came before or after a charge; but for a
    // counter that is throttled, which is asked for nothing more.
    if (answer.outcome === 'served' || answer.rateLimit || isThrottle(answer.refusal)) return answer;
    return { ...answer, rateLimit: await deps.meter.status(context.allowance) };
  };
}

/** An image that is found to be lost is made again, or another one is taken, for the same request: once. */
async function serveWhole(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const answer = await serve(deps, request, caller, context);
  if (answer.outcome !== 'lost') return answer;
  const { key } = answer.generation;
  // What the making has paid for belongs to the account that has paid.
  const isOwnBase = key === generationIdentity(request, caller, undefined).key;
  const isClaimed = await markLost(deps, answer.generation, isOwnBase ? context.requestId : undefined);
  const isPaid = isClaimed || answer.isOwed === true;
  const second = await serve(deps, request, caller, context, { key, isPaid });
  if (second.outcome === 'served') return second;
  const refused: Answer =
    second.outcome === 'lost' ? { outcome: 'refused', refusal: { code: 'upstream_unavailable' } } : second;
  return isPaid || second.isOwed ? withStandingCharge(refused) : refused;
}

/** A generation that this request has found to be lost. */
interface Replaced {
  readonly key: ImageKey;
  /** Whether this request has paid for it, or has claimed the delivery that the lost image's making had paid for. */
  readonly isPaid: boolean;
}

async function serve(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
  lost?: Replaced,
): Promise<Answer | LostImage> {
  if (request.alt !== undefined) {
    const alternative = await findAlternative(deps.index, request, caller, request.alt, lost?.key);
    if (alternative) {
      const refusal = await takeFree(deps, alternative, request, caller, context);
      return refusal ?? show(deps, request, alternative, context, 'HIT');
    }
  }
  if (request.asPlaceholder) {
    // The small image of one that exists is free.
    const known = await deps.index.read(generationIdentity(request, caller, request.variation).key);
    if (known?.state === 'READY') {
      const refusal = await takeFree(deps, known, request, caller, context);
      return refusal ?? show(deps, request, known, context, 'HIT');
    }
  }
  return request.variation === undefined
    ? serveBase(deps, request, caller, context, lost?.isPaid === true)
    : serveVariation(deps, request, caller, context, request.variation);
}

/**
 * The `alt`-th public image of the same words and style, counted round where there are fewer. The caller's own base is
 * skipped while another exists; a test key has a namespace of its own, in which nothing is public.
 */
async function findAlternative(
  index: Pick<GenerationIndex, 'publicOf'>,
  request: AiRequest,
  caller: KeyedCaller,
  alt: number,
  lost: ImageKey | undefined,
): Promise<Generation | undefined> {
  if (caller.kind === 'test') return undefined;
  const listed = await index.publicOf(similarityKeyOf(request), alternativesMax);
  const all = listed.filter(({ key }) => key !== lost);
  const ownBase = generationIdentity({ ...request, visibility: 'public' }, caller, undefined).key;
  const others = all.filter(({ key }) => key !== ownBase);
  const choice = others.length > 0 ? others : all;
  return choice[(alt - 1) % choice.length];
}

async function serveBase(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
  isPaid: boolean,
): Promise<Answer | LostImage> {
  const identity = generationIdentity(request, caller, undefined);
  const made = await makeBase(deps, identity, caller, context, isPaid);
  if (made.outcome === 'refused') return made;
  if (isPaid)
    return withStandingCharge(await show(deps, request, made.generation, context, made.led ? 'MISS' : 'HIT'));
  const answer = await payFor(deps, made, request, context);
  return hasCharged(made) ? withStandingCharge(answer) : answer;
}

/** Whether this request has led a making that was charged: that charge stands whatever comes of the delivery. */
function hasCharged({ rateLimit }: Extract<MadeImage, { outcome: 'ready' }>): boolean {
  return rateLimit !== undefined;
}

/** A variation is free where its base exists; where it does not, the base is made and charged first. */
async function serveVariation(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
  variation: number,
): Promise<Answer | LostImage> {
  const identity = generationIdentity(request, caller, variation);
  const known = await deps.index.read(identity.key);
  if (known?.state === 'READY') {
    const refusal = await takeFree(deps, known, request, caller, context);
    return refusal ?? show(deps, request, known, context, 'HIT');
  }

  const base = await makeBase(deps, generationIdentity(request, caller, undefined), caller, context);
  if (base.outcome === 'refused') return base;
  // Counted before anything is made for it. The request that paid for the base has paid for this delivery.
  const refusal = base.led ? undefined : await takeFree(deps, undefined, request, caller, context);
  if (refusal) return refusal;
  const answer = await varyBase(deps, request, caller, context, identity, base);
  // This request's unit has paid for the base, so its one paid delivery is this one. A claim that fails leaves the
  // account a free delivery too many, which is no reason to withhold the image.
  if (base.led && !context.paid && answer.outcome === 'served') {
    await deps.index
      .takeDelivery(base.generation, context.requestId)
      .catch((error: unknown) => deps.telemetry.error('A delivery could not be claimed', error));
  }
  return hasCharged(base) ? withStandingCharge(answer) : answer;
}

/** Makes and shows a variation of a base that exists. */
async function varyBase(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
  identity: GenerationIdentity,
  base: Extract<MadeImage, { outcome: 'ready' }>,
): Promise<Answer | LostImage> {
  const deadlineMs = context.deadlineMs - renditionReserveMs;
  const basePath = base.generation.master?.path;
  const made = await deps.make({
    identity,
    ...boundsOf(deps, caller, context),
    isFree: true,
    deadlineMs,
    ...(basePath === undefined ? {} : { basePath }),
  });
  if (made.outcome === 'refused') return made;
  return show(deps, request, made.generation, context, made.led ? 'MISS' : 'HIT', base.rateLimit);
}

function makeBase(
  deps: ServeAiDeps,
  identity: GenerationIdentity,
  caller: KeyedCaller,
  context: RequestContext,
  isFree = false,
): Promise<MadeImage> {
  return deps.make({
    identity,
    ...boundsOf(deps, caller, context),
    isFree: isFree || context.paid !== undefined,
    deadlineMs: context.deadlineMs - renditionReserveMs,
  });
}

/** Answers with an image that costs nothing, even when the quota is used up. */
async function show(
  { renditions, meter }: ServeAiDeps,
  request: AiRequest,
  generation: Generation,
  { allowance, format, deadlineMs, usage }: RequestContext,
  cache: 'HIT' | 'MISS',
  known?: RateLimitStatus,
): Promise<Answer | LostImage> {
  // A variation of a base that this request has paid for is not free.
  usage?.expect({ source: 'ai', cache, ...(known ? {} : { isFree: true }) });
  const [shown, rateLimit] = await Promise.all([
    renditions.deliver(generation, request, format, deadlineMs),
    known ?? meter.status(allowance),
  ]);
  if (shown.outcome === 'lost') return { outcome: 'lost', generation };
  if (shown.outcome === 'refused') return { ...shown, rateLimit };
  return { outcome: 'served', image: shown.image, cache, rateLimit, isFree: true };
}
