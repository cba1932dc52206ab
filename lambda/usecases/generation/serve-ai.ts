/** Answers a request for an AI image: reuses what exists, has made what does not, and charges each delivery once. */

import { type Plans, testGenerationsAtOnce } from '../../contract/plans';
import { choiceBounds } from '../../contract/request-bounds';
import { renditionReserveMs } from '../../contract/timeouts';
import type { KeyedCaller } from '../../domain/caller/caller';
import type { Generation } from '../../domain/generation/generation';
import {
  type GenerationIdentity,
  generationIdentity,
  similarityKeyOf,
} from '../../domain/generation/generation-identity';
import type { ServedImage, Size } from '../../domain/image/image';
import type { Answer } from '../../domain/problem/answer';
import {
  dailyGenerations,
  fairUseOwner,
  freeDeliveriesOf,
  freeRenditionsOf,
  monthlyGenerationsOf,
  refusedPromptsOf,
} from '../../domain/quota/fair-use';
import type { RateLimitStatus } from '../../domain/quota/quota';
import type { AiRequest } from '../../domain/request/image-request';
import type { RequestContext } from '../../domain/request/request-context';
import type { Clock } from '../../ports/clock';
import type { GenerationIndex } from '../../ports/generation-index';
import type { Telemetry } from '../../ports/telemetry';
import type { Meter } from '../metering/meter';
import type { RenditionService } from './deliver';
import type { ImageOrder, MadeImage, MakeImage } from './make-image';
import { payFor } from './pay-for';

export interface ServeAiDeps {
  readonly index: GenerationIndex;
  readonly make: MakeImage;
  readonly renditions: RenditionService;
  readonly meter: Meter;
  readonly plans: Plans;
  /** The operator's ceiling for all accounts together; absent for none. */
  readonly generationsPerDay?: number;
  /** Whether test keys use the real generator, whose images cost money. */
  readonly testKeysGenerate: boolean;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

export type ServeAi = (request: AiRequest, caller: KeyedCaller, context: RequestContext) => Promise<Answer>;

/** Public images of one similarity key that are read for `alt`, oldest first: the highest `alt` and the caller's own base. */
const alternativesMax = choiceBounds.max + 1;

/** @throws when a table fails; an ordinary charge has been given back by then. */
export function createServeAi(deps: ServeAiDeps): ServeAi {
  return async (request, caller, context) => {
    const answer = await serve(deps, request, caller, context);
    // Every refusal from here on carries the rate limit status, also one that came before or after a charge.
    if (answer.outcome === 'served' || answer.rateLimit) return answer;
    return { ...answer, rateLimit: await deps.meter.status(context.allowance) };
  };
}

async function serve(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  if (request.alt !== undefined) {
    const alternative = await findAlternative(deps.index, request, caller, request.alt);
    if (alternative) {
      const refusal = await takeFree(deps, alternative, request, caller, context);
      return refusal ?? show(deps, request, alternative, context, 'HIT');
    }
  }
  return request.variation === undefined
    ? serveBase(deps, request, caller, context)
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
): Promise<Generation | undefined> {
  if (caller.kind === 'test') return undefined;
  const all = await index.publicOf(similarityKeyOf(request), alternativesMax);
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
): Promise<Answer> {
  const made = await makeBase(deps, generationIdentity(request, caller, undefined), caller, context);
  if (made.outcome === 'refused') return made;
  return payFor(deps, made, request, context);
}

/** A variation is free where its base exists; where it does not, the base is made and charged first. */
async function serveVariation(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
  variation: number,
): Promise<Answer> {
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
  const answer = await show(
    deps,
    request,
    made.generation,
    context,
    made.led || base.led ? 'MISS' : 'HIT',
    base.rateLimit,
  );
  // This request's unit has paid for the base, so its one paid delivery is this one. A claim that fails leaves the
  // account a free delivery too many, which is no reason to withhold the image.
  if (base.led && answer.outcome === 'served') {
    await deps.index
      .takeDelivery(base.generation, context.requestId)
      .catch((error: unknown) => deps.telemetry.error('A delivery could not be claimed', error));
  }
  return answer;
}

function makeBase(
  deps: ServeAiDeps,
  identity: GenerationIdentity,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<MadeImage> {
  return deps.make({
    identity,
    ...boundsOf(deps, caller, context),
    isFree: false,
    deadlineMs: context.deadlineMs - renditionReserveMs,
  });
}

/** What bounds the making of an image for a caller. */
function boundsOf(
  { plans, generationsPerDay, testKeysGenerate, clock }: ServeAiDeps,
  caller: KeyedCaller,
  { allowance }: RequestContext,
): Pick<ImageOrder, 'limits' | 'refusedPrompts' | 'ceilings'> {
  const nowMs = clock.nowMs();
  const owner = fairUseOwner(caller);
  const { generationsAtOnce, generationsPerMonth } = plans[caller.plan];
  const isTest = caller.kind === 'test';
  // What the sandbox draws for a test key costs nothing.
  const isCounted = !isTest || testKeysGenerate;
  return {
    limits: { allowance, heldMax: isTest ? testGenerationsAtOnce : generationsAtOnce },
    refusedPrompts: refusedPromptsOf(owner, nowMs),
    ceilings: isCounted
      ? [
          monthlyGenerationsOf(owner, generationsPerMonth, nowMs),
          ...(generationsPerDay === undefined ? [] : [dailyGenerations(generationsPerDay, nowMs)]),
        ]
      : [],
  };
}

/**
 * Counts a delivery that costs nothing, and the rendition where one has to be made for it.
 * @param generation absent when the image itself is still to be made
 * @returns the refusal when the hour's are used up
 */
async function takeFree(
  { renditions, meter, plans, clock }: ServeAiDeps,
  generation: Generation | undefined,
  size: Size,
  caller: KeyedCaller,
  { requestId, format }: RequestContext,
): Promise<Answer | undefined> {
  const nowMs = clock.nowMs();
  const delivery = await meter.charge(freeDeliveriesOf(caller, plans, nowMs), requestId);
  if (delivery.outcome === 'refused') return delivery;
  if (generation && (await renditions.isMade(generation, size, format))) return undefined;
  const rendition = await meter.charge(freeRenditionsOf(caller, plans, nowMs), requestId);
  return rendition.outcome === 'refused' ? rendition : undefined;
}

/** Answers with an image that costs nothing, even when the quota is used up. */
async function show(
  { renditions, meter }: ServeAiDeps,
  request: AiRequest,
  generation: Generation,
  { allowance, format, deadlineMs }: RequestContext,
  cache: 'HIT' | 'MISS',
  known?: RateLimitStatus,
): Promise<Answer> {
  const [image, rateLimit]: [ServedImage | undefined, RateLimitStatus] = await Promise.all([
    renditions.deliver(generation, request, format, deadlineMs),
    known ?? meter.status(allowance),
  ]);
  if (!image) return { outcome: 'refused', refusal: { code: 'upstream_unavailable' }, rateLimit };
  return { outcome: 'served', image, cache, rateLimit };
}
