/** Answers a request for an AI image: reuses what exists, has made what does not, and charges each delivery once. */

import type { Clock } from '../base/clock';
import type { Telemetry } from '../base/telemetry';
import { generationBounds, type Plans, testGenerationsAtOnce } from '../contract/plans';
import { choiceBounds } from '../contract/request-bounds';
import { renditionReserveMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import { isThrottle, statesRateLimit } from '../problems/problem';
import { dailyGenerations, fairUseOwner, monthlyGenerationsOf, refusedPromptsOf } from '../quota/fair-use';
import type { Ledger } from '../quota/ledger';
import type { Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { Charges } from '../quota/reservations';
import type { AiRequest } from '../requests/image-request';
import type { RenditionService } from './deliver';
import type { Generation, GenerationIndex } from './generation';
import {
  type GenerationIdentity,
  generationIdentity,
  type ImageKey,
  similarityKeyOf,
} from './generation-identity';
import type { MadeImage, MakeImage } from './make-image';
import { type LostImage, markLost, payFor, show, showFree, takeFree } from './pay-for';

/** What serves AI images, and the limits on making them. */
export interface ServeAiDeps {
  readonly index: GenerationIndex;
  readonly charges: Charges;
  readonly make: MakeImage;
  readonly renditions: RenditionService;
  readonly ledger: Ledger;
  readonly plans: Plans;
  /** The operator's ceiling for all accounts together; absent for none. */
  readonly generationsPerDay: number | undefined;
  /** Whether test keys use the real generator, whose images cost money. */
  readonly testKeysGenerate: boolean;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

/** Answers one request for an AI image, within the context's deadline. */
export type ServeAi = (request: AiRequest, caller: KeyedCaller, context: RequestContext) => Promise<Answer>;

/** Public images of one similarity key that are read for `alt`, oldest first: the highest `alt` and the caller's own base. */
const alternativesMax = choiceBounds.max + 1;

/**
 * Every refusal states a rate limit, also one that came before a charge; but for that of a throttled counter, which is
 * read no more. An image that is found to be lost is made again, or another one is taken, for the same request: once.
 * @throws when a table fails; an ordinary charge has been given back by then
 */
export function createServeAi(deps: ServeAiDeps): ServeAi {
  return async (request, caller, context) => {
    const first = await serve(deps, request, caller, context);
    if (first.outcome !== 'lost') return first;
    const { key } = first.generation;
    // What the making has paid for belongs to the account that has paid.
    const isOwnBase = key === generationIdentity(request, caller, undefined).key;
    const isClaimed = await markLost(deps, first.generation, isOwnBase ? context.requestId : undefined);
    const owed: Payment | undefined =
      isClaimed || first.payment.state === 'owed'
        ? { state: 'owed', rateLimit: first.payment.rateLimit }
        : context.payment;
    // What the request has paid for the lost image, or has claimed of it, pays for the next one.
    const paid = owed ? { ...context, payment: owed } : context;
    const second = await serve(deps, request, caller, paid, key);
    if (second.outcome !== 'lost') return second;
    return { outcome: 'refused', refusal: { code: 'upstream_unavailable' }, payment: second.payment };
  };
}

/** @param lost image that this request has found to be lost, and that a listing may still hold */
async function serve(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
  lost?: ImageKey,
): Promise<Answer | LostImage> {
  const { variation, alt } = request;
  if (alt !== undefined) {
    const alternative = await findAlternative(deps.index, request, caller, alt, lost);
    if (alternative) return showFree(deps, alternative, request, context, 'alternative');
  }
  const identity = generationIdentity(request, caller, variation);
  if (variation !== undefined) {
    // A variation that exists is free.
    const stored = await deps.index.read(identity.key);
    if (stored?.state === 'READY') return showFree(deps, stored, request, context, 'variation');
    return serveVariation(deps, request, caller, context, identity);
  }
  const made = await make(deps, identity, caller, context, context.payment !== undefined);
  return made.outcome === 'refused' ? made : payFor(deps, made, request, context);
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

/** A variation is free where its base exists; where it does not, the base is made and charged first. */
async function serveVariation(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
  identity: GenerationIdentity,
): Promise<Answer | LostImage> {
  const baseIdentity = generationIdentity(request, caller, undefined);
  const base = await make(deps, baseIdentity, caller, context, context.payment !== undefined);
  if (base.outcome === 'refused') return base;
  // The request that paid for the base has paid for this delivery, which is counted in nothing then.
  const paid = base.payment ? { ...context, payment: base.payment } : context;
  // Counted before anything is made for it.
  const refused = await takeFree(deps, undefined, request, paid);
  if (refused) return refused;
  const made = await make(deps, identity, caller, paid, true, base.generation);
  if (made.outcome === 'refused') return made;
  const answer = await show(deps, made.generation, request, paid, made.led, 'variation');
  // A claim that fails leaves the account a free delivery too many, which is no reason to withhold the image.
  if (base.payment && answer.outcome === 'served') {
    await deps.index
      .takeDelivery(base.generation, context.requestId)
      .catch((error: unknown) => deps.telemetry.error('A delivery could not be claimed', error));
  }
  return answer;
}

/** Has an image made. @param base of a variation, from which it is made */
async function make(
  { make: makeImage, ledger, plans, generationsPerDay, testKeysGenerate, clock }: ServeAiDeps,
  identity: GenerationIdentity,
  caller: KeyedCaller,
  context: RequestContext,
  isFree: boolean,
  base?: Generation,
): Promise<MadeImage> {
  const { quota, credentialLimits, deadlineMs } = context;
  const nowMs = clock.nowMs();
  const owner = fairUseOwner(caller);
  const { generationsAtOnce, generationsPerMonth } = plans[caller.plan];
  const isTest = caller.kind === 'test';
  const perMonth = isTest ? generationBounds.testPerMonth : generationsPerMonth;
  // What the sandbox draws for a test key costs the operator nothing.
  const isCounted = generationsPerDay !== undefined && (!isTest || testKeysGenerate);
  const ceilings = [
    monthlyGenerationsOf(owner, perMonth, nowMs),
    ...(isCounted ? [dailyGenerations(generationsPerDay, nowMs, owner)] : []),
  ];
  const made = await makeImage({
    identity,
    limits: { quota, heldMax: isTest ? testGenerationsAtOnce : generationsAtOnce },
    credentialLimits,
    isFree,
    refusedPrompts: refusedPromptsOf(owner, nowMs),
    ceilings,
    deadlineMs: deadlineMs - renditionReserveMs,
    ...(base?.master && { basePath: base.master.path }),
  });
  if (made.outcome === 'ready' || made.payment) return made;
  const { refusal } = made;
  if (!context.payment && (statesRateLimit(refusal) || isThrottle(refusal))) return made;
  const rateLimit = await ledger.status(context);
  return {
    outcome: 'refused',
    refusal,
    payment: context.payment ?? { state: 'free', because: 'no-image', rateLimit },
  };
}
