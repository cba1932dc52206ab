/** Answers a request for an AI image: charges it, has the image made or waits for it, and refunds it where there is none. */

import type { Plans } from '../contract/plans';
import { choiceBounds } from '../contract/request-bounds';
import { generationWaitMs, renditionReserveMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import type { Answer, Served } from '../images/answer';
import type { LibraryPath } from '../images/library-path';
import { generationInProgress, type Refusal, serviceUnavailable } from '../problems/problem';
import { generationLimitsOf, waitingLimitsOf, workLimitsOf } from '../quota/caller-limits';
import { charge, refund, statusOf, takeFor } from '../quota/charge';
import { type Limit, refusalOf } from '../quota/limit';
import { FaultAfterCharge, type FreeBecause, freePayment, type Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import { rememberedRefusal } from '../quota/take';
import type { AiRequest } from '../requests/image-request';
import { type DeliverServices, deliver } from './deliver';
import {
  type GenerationIdentity,
  generationIdentity,
  type ImageKey,
  similarityKeyOf,
} from './generation-identity';
import { type Generation, listPublic, readGeneration } from './generations';
import { type Made, type MakeServices, make } from './make';

/** What AI images are served with: of `Services`, and what the operator has decided. */
export interface AiServices extends MakeServices, DeliverServices {
  readonly tables: MakeServices['tables'] & DeliverServices['tables'];
  readonly ids: MakeServices['ids'] & DeliverServices['ids'];
  readonly plans: Plans;
  /** The operator's day of generations, for all accounts together; absent for none. */
  readonly generationsPerDay: number | undefined;
  /** Concurrent executions of the AWS account that no function has reserved; `undefined` where nothing bounds them. */
  readonly unreservedExecutions: () => Promise<number | undefined>;
}

/** An image, or why there is none, before it is known what it has cost. */
export type Outcome = Omit<Served, 'payment'> | { readonly outcome: 'refused'; readonly refusal: Refusal };

/**
 * Within the context's deadline. A variation and an alternative that cost nothing are looked for before anything is
 * charged, so that they are served when the quota is used up, too.
 * @throws when a table fails; what was charged has been given back by then
 */
export async function serveAi(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const { alt, variation } = request;
  const waitEndsMs = Math.min(
    services.clock.nowMs() + generationWaitMs,
    context.deadlineMs - renditionReserveMs,
  );
  const asked = { request, caller, context, waitEndsMs };
  if (alt !== undefined) {
    const alternative = await findAlternative(services, request, caller, alt);
    const shown = alternative && (await showAlternative(services, asked, alternative));
    if (shown) return shown;
  }
  const identity = generationIdentity(request, caller, variation);
  if (variation === undefined) {
    const usedUp = await usedUpFor(services, caller, identity.key);
    if (usedUp) return refuseUncharged(services, context, usedUp);
    return charged(services, context, () => makeAndShow(services, asked, identity));
  }
  const baseIdentity = generationIdentity(request, caller, undefined);
  const [stored, base] = await Promise.all([
    readGeneration(services, identity.key),
    readGeneration(services, baseIdentity.key),
  ]);
  const isThere = stored?.state === 'ready' || base?.state === 'ready';
  const serve = async (): Promise<Outcome> => {
    if (isThere) return makeAndShow(services, asked, identity, base?.master?.path);
    const made = await makeImage(services, asked, baseIdentity);
    if (made.outcome !== 'ready') return { outcome: 'refused', refusal: refusalAfter(services, made) };
    return makeAndShow(services, asked, identity, made.generation.master?.path);
  };
  return isThere ? free(services, context, 'variation', serve) : charged(services, context, serve);
}

interface Asked {
  readonly request: AiRequest;
  readonly caller: KeyedCaller;
  readonly context: RequestContext;
  readonly waitEndsMs: number;
}

/** Charges a request, and refunds it where it ends without an image. @throws `FaultAfterCharge`, after the refund */
export async function charged(
  services: AiServices,
  context: RequestContext,
  serve: () => Promise<Outcome>,
): Promise<Answer> {
  const charging = await charge(services, context);
  if (charging.outcome === 'refused') return charging;
  const { payment } = charging;
  let outcome: Outcome;
  try {
    outcome = await serve();
  } catch (error) {
    await refund(services, payment);
    throw new FaultAfterCharge(payment, error);
  }
  if (outcome.outcome === 'refused') await refund(services, payment);
  return { ...outcome, payment };
}

/** Serves what is free by rule, for a unit of `work`. A request that is paid already takes none. */
async function free(
  services: AiServices,
  context: RequestContext,
  because: FreeBecause,
  serve: () => Promise<Outcome>,
): Promise<Answer> {
  const limited = context.payment
    ? undefined
    : await takeFor(services, context.workLimits, context.requestId);
  if (limited) return refuseUncharged(services, context, limited);
  const payment = context.payment ?? freePayment(because, await statusOf(services, context));
  return { ...(await serve()), payment };
}

/** A refusal of what was never charged, with what the headers say of the plan. */
async function refuseUncharged(
  services: AiServices,
  context: RequestContext,
  refusal: Refusal,
): Promise<Answer> {
  const payment: Payment = context.payment ?? freePayment('no-image', await statusOf(services, context));
  return { outcome: 'refused', refusal, payment };
}

/** Has an image made, and delivers it. A master that is lost is made again, once, for the same charge. */
async function makeAndShow(
  services: AiServices,
  asked: Asked,
  identity: GenerationIdentity,
  basePath?: LibraryPath,
): Promise<Outcome> {
  let gone: string | undefined;
  for (let attempt = 0; attempt < 2; attempt++) {
    const made = await makeImage(services, asked, identity, basePath, gone);
    if (made.outcome !== 'ready') return { outcome: 'refused', refusal: refusalAfter(services, made) };
    const shown = await deliver(services, made.generation, asked.request, asked.context);
    if (shown.outcome === 'refused') return shown;
    if (shown.outcome === 'delivered')
      return { outcome: 'served', image: shown.image, cache: made.isNew ? 'MISS' : 'HIT' };
    gone = made.generation.execution;
  }
  return { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
}

function makeImage(
  services: AiServices,
  { caller, waitEndsMs }: Asked,
  identity: GenerationIdentity,
  basePath?: LibraryPath,
  gone?: string,
): Promise<Made> {
  return make(services, {
    identity,
    waitEndsMs,
    generationLimits: (nowMs) => limitsOfGenerations(services, caller, nowMs),
    workLimits: workLimitsOf(caller, '', services.clock.nowMs()),
    waitingLimits: async (nowMs) => waitingLimitsOf(caller, await services.unreservedExecutions(), nowMs),
    ...(basePath !== undefined && { basePath }),
    ...(gone !== undefined && { gone }),
  });
}

/** What the sandbox draws for a test key costs the operator nothing, and counts in no day. */
function limitsOfGenerations(
  { plans, generationsPerDay }: AiServices,
  caller: KeyedCaller,
  nowMs: number,
): readonly Limit[] {
  const ofDay = caller.kind === 'live' ? generationsPerDay : undefined;
  return generationLimitsOf(caller, plans, ofDay, nowMs);
}

/** The refusal of a limit of generations that this process remembers, for an image that is neither there nor being made. */
async function usedUpFor(
  services: AiServices,
  caller: KeyedCaller,
  key: ImageKey,
): Promise<Refusal | undefined> {
  const limits = limitsOfGenerations(services, caller, services.clock.nowMs());
  const usedUp = rememberedRefusal(services, limits);
  if (!usedUp) return undefined;
  const state = (await readGeneration(services, key))?.state ?? 'failed';
  return state === 'failed' ? refusalAfter(services, { outcome: 'refused', by: usedUp }) : undefined;
}

/** Why a request has no image that it wanted. */
function refusalAfter({ clock }: AiServices, made: Exclude<Made, { outcome: 'ready' }>): Refusal {
  switch (made.outcome) {
    case 'removed':
      return { code: 'image_removed' };
    case 'in_progress':
      return generationInProgress;
    case 'failed': {
      const { why, untilMs } = made;
      if (why === 'content_refused') return { code: why };
      if (why === 'not_started') return serviceUnavailable;
      return { code: why, retryAfterS: Math.max(1, Math.ceil((untilMs - clock.nowMs()) / 1_000)) };
    }
    case 'refused': {
      const { by } = made;
      if (!by) return serviceUnavailable;
      const { endMs, kind } = by.window;
      if (by.kind !== 'generations' || kind === 'month') return refusalOf(by);
      if (kind === 'day') return { code: 'generation_paused', endsMs: endMs };
      const retryAfterS = Math.max(1, Math.ceil((endMs - clock.nowMs()) / 1_000));
      return { ...generationInProgress, retryAfterS };
    }
  }
}

/** Public images of the same words and style that are read for `alt`, oldest first: the highest `alt` and the caller's own base. */
const alternativesMax = choiceBounds.max + 1;

/**
 * The `alt`-th public image of the same words and style, counted round where there are fewer. The caller's own base is
 * skipped while another exists; a test key has a namespace of its own, in which nothing is public.
 */
async function findAlternative(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
  alt: number,
): Promise<Generation | undefined> {
  if (caller.kind === 'test') return undefined;
  const all = await listPublic(services, similarityKeyOf(request), alternativesMax);
  const ownBase = generationIdentity({ ...request, visibility: 'public' }, caller, undefined).key;
  const others = all.filter((key) => key !== ownBase);
  const choice = others.length > 0 ? others : all;
  const key = choice[(alt - 1) % choice.length];
  // The list lags: the item itself says whether the image is still there.
  const generation = key && (await readGeneration(services, key));
  return generation?.state === 'ready' ? generation : undefined;
}

/** @returns `undefined` where its master is gone: the next request of its own account has it made again */
async function showAlternative(
  services: AiServices,
  { request, context }: Asked,
  alternative: Generation,
): Promise<Answer | undefined> {
  let isLost = false;
  const answer = await free(services, context, 'alternative', async () => {
    const shown = await deliver(services, alternative, request, context);
    if (shown.outcome === 'delivered') return { outcome: 'served', image: shown.image, cache: 'HIT' };
    isLost = shown.outcome === 'lost';
    return shown.outcome === 'lost'
      ? { outcome: 'refused', refusal: { code: 'upstream_unavailable' } }
      : shown;
  });
  return isLost ? undefined : answer;
}
