/** Answers a request for an AI image: charges it, has the image made or waits for it, and refunds it where there is none. */

import { orLogged } from '../base/or-logged';
import { variationBounds } from '../contract/request-bounds';
import { generationWaitMs, renditionReserveMs } from '../contract/timeouts';
import { type Caller, isPublished, type KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import type { LibraryPath } from '../images/library-path';
import type { Refusal } from '../problems/problem';
import { generationLimitsOf, generationMonthOf } from '../quota/caller-limits';
import { charge, refund, statusOf, statusOfLimit, takeFor } from '../quota/charge';
import { FaultAfterCharge, type FreeBecause, freePayment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import { rememberedRefusal } from '../quota/take';
import type { AiRequest } from '../requests/image-request';
import { type AiServices, deliver, type Outcome } from './deliver';
import { type GenerationIdentity, generationIdentity, type ImageKey, lookOf } from './generation-identity';
import { type Generation, listPublic, readGeneration } from './generations';
import { make, refusalByLimit } from './make';

/** A request with all that is known of it. */
interface Asked {
  readonly request: AiRequest;
  readonly caller: KeyedCaller;
  readonly context: RequestContext;
  readonly waitEndsMs: number;
}

/**
 * Answers a request for an AI image within the context's deadline. A variation and an alternative that cost nothing are looked for before anything is
 * charged, so that they are served when the quota is used up, too.
 * @throws when a table fails; what was charged has been given back by then
 */
export async function serveAi(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const waitEndsMs = Math.min(
    services.clock.nowMs() + generationWaitMs,
    context.deadlineMs - renditionReserveMs,
  );
  const asked = { request, caller, context, waitEndsMs };
  const answer =
    (await serveAlternative(services, asked)) ??
    (request.variation === undefined
      ? await serveBase(services, asked)
      : await serveVariation(services, asked));
  return withGenerationsLeft(services, caller, answer);
}

async function serveBase(services: AiServices, asked: Asked): Promise<Answer> {
  const { request, caller, context } = asked;
  const identity = generationIdentity(request, caller, undefined);
  const refusal = await usedUpFor(services, caller, identity.key);
  if (refusal) return refuseUncharged(services, context, refusal);
  return chargeAndServe(services, context, () => makeAndShow(services, asked, identity));
}

/** Serves a variation: free where its base, or itself, is there; where neither is, the charge belongs to the base that is made. */
async function serveVariation(services: AiServices, asked: Asked): Promise<Answer> {
  const { request, caller, context } = asked;
  const identity = generationIdentity(request, caller, request.variation);
  const baseIdentity = generationIdentity(request, caller, undefined);
  const [stored, base] = await Promise.all([
    readGeneration(services, identity.key),
    readGeneration(services, baseIdentity.key),
  ]);
  const show = (from?: Generation) => makeAndShow(services, asked, identity, from?.master?.path);
  if (stored?.state === 'ready' || base?.state === 'ready')
    return serveFree(services, context, 'variation', () => show(base));
  return chargeAndServe(services, context, async () => {
    const made = await make(services, { ...asked, identity: baseIdentity });
    return made.outcome === 'ready' ? show(made.generation) : made;
  });
}

/**
 * Serves the alternative that a request asks for.
 * @returns `undefined` where there is none, and where its master is gone: the next request of its own account has it made again
 */
async function serveAlternative(services: AiServices, { request, caller, context }: Asked) {
  const alternative = await findAlternative(services, request, caller);
  if (!alternative) return undefined;
  const answer = await serveFree(services, context, 'alternative', async () => {
    const shown = await deliver(services, alternative, request, context);
    return shown.outcome === 'lost' ? lost : shown;
  });
  return answer.outcome === 'refused' && answer.refusal === lost.refusal ? undefined : answer;
}

/** Public images of the same words and style that are read for `alt`, oldest first: the highest `alt` and the caller's own base. */
const alternativesMax = variationBounds.max + 1;

/**
 * The `alt`-th public image of the same words and style, counted round where there are fewer. The caller's own base is
 * skipped while another exists; a test key has a namespace of its own, in which nothing is public.
 */
async function findAlternative(
  services: AiServices,
  request: AiRequest,
  caller: KeyedCaller,
): Promise<Generation | undefined> {
  if (request.alt === undefined || caller.kind === 'test') return undefined;
  const all = await listPublic(services, lookOf(request), alternativesMax);
  const ownBase = generationIdentity({ ...request, visibility: 'public' }, caller, undefined).key;
  const others = all.filter((key) => key !== ownBase);
  const choice = others.length > 0 ? others : all;
  const key = choice[(request.alt - 1) % choice.length];
  // The list lags: the item itself says whether the image is still there.
  const generation = key && (await readGeneration(services, key));
  return generation?.state === 'ready' ? generation : undefined;
}

/** Charges a request, and refunds it where it ends without an image. @throws `FaultAfterCharge`, after the refund */
export async function chargeAndServe(
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
async function serveFree(
  services: AiServices,
  context: RequestContext,
  because: FreeBecause,
  serve: () => Promise<Outcome>,
): Promise<Answer> {
  const { workLimits, requestId } = context;
  const limited = context.payment ? undefined : await takeFor(services, workLimits, requestId);
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
  const payment = context.payment ?? freePayment('no-image', await statusOf(services, context));
  return { outcome: 'refused', refusal, payment };
}

const lost = { outcome: 'refused', refusal: { code: 'upstream_unavailable' } } as const;

/** Has an image made, and delivers it. A master that is lost is made again, once, for the same charge. */
async function makeAndShow(
  services: AiServices,
  asked: Asked,
  identity: GenerationIdentity,
  basePath?: LibraryPath,
): Promise<Outcome> {
  let gone: string | undefined;
  for (let attempt = 0; attempt < 2; attempt++) {
    const made = await make(services, { ...asked, identity, basePath, gone });
    if (made.outcome !== 'ready') return made;
    const shown = await deliver(services, made.generation, asked.request, asked.context);
    if (shown.outcome === 'served') return { ...shown, cache: made.isNew ? 'MISS' : 'HIT' };
    if (shown.outcome === 'refused') return shown;
    gone = made.generation.execution;
  }
  return lost;
}

/** The refusal of a limit of generations that this process remembers, for an image that is neither there nor being made. */
async function usedUpFor(services: AiServices, caller: KeyedCaller, key: ImageKey) {
  const { plans, generationsPerDay } = services;
  const nowMs = services.clock.nowMs();
  const by = rememberedRefusal(services, generationLimitsOf(caller, plans, generationsPerDay, nowMs));
  const state = by && ((await readGeneration(services, key))?.state ?? 'failed');
  return state === 'failed' ? refusalByLimit(by, nowMs) : undefined;
}

/** The answer, which states beside the quota what is left of the account's AI images; visitors of a page see nothing of either. */
export async function withGenerationsLeft(
  services: AiServices,
  caller: Caller,
  answer: Answer,
): Promise<Answer> {
  const { payment } = answer;
  if (!payment || caller.kind === 'anonymous' || isPublished(caller)) return answer;
  const limit = generationMonthOf(caller, services.plans, services.clock.nowMs());
  const generations = await orLogged(services.telemetry, 'The AI images that are left were not read', () =>
    statusOfLimit(services, limit),
  );
  if (generations) payment.rateLimit = { ...payment.rateLimit, generations };
  return answer;
}
