/** Answers a request for an AI picture: reuses what exists, has made what does not, and charges each delivery once. */

import type { Answer } from '../../domain/answer/answer';
import type { KeyedCaller } from '../../domain/caller/caller';
import type { Generation } from '../../domain/generation/generation';
import { type GenerationIdentity, generationIdentity } from '../../domain/generation/generation-identity';
import type { ServedPicture } from '../../domain/picture/image';
import { type Plans, testGenerationsAtOnce } from '../../domain/quota/plan';
import type { Standing } from '../../domain/quota/quota';
import type { AiRequest } from '../../domain/request/image-request';
import type { GenerationIndex } from '../../ports/tables/generation-index';
import type { Telemetry } from '../../ports/telemetry';
import type { Meter } from '../meter';
import type { Circumstances } from '../serve-stock';
import { findAlternative } from './find-alternative';
import type { Gallery } from './gallery';
import type { MadePicture, MakePicture } from './make-picture';
import { payFor } from './pay-for';

export interface ServeAiDeps {
  readonly index: GenerationIndex;
  readonly make: MakePicture;
  readonly gallery: Gallery;
  readonly meter: Meter;
  readonly plans: Plans;
  readonly telemetry: Telemetry;
}

export type ServeAi = (
  request: AiRequest,
  caller: KeyedCaller,
  circumstances: Circumstances,
) => Promise<Answer>;

/** Time kept back from waiting for the generator, so that the rendition can still be made, in milliseconds. */
const renderingMs = 4_000;

/** @throws when a table fails; an ordinary charge has been given back by then. */
export function createServeAi(deps: ServeAiDeps): ServeAi {
  return async (request, caller, circumstances) => {
    const answer = await serve(deps, request, caller, circumstances);
    // Every refusal from here on says where the caller stands, also one that came before or after a charge.
    if (answer.outcome === 'served' || answer.standing) return answer;
    return { ...answer, standing: await deps.meter.standing(circumstances.allowance) };
  };
}

async function serve(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  circumstances: Circumstances,
): Promise<Answer> {
  if (request.alt !== undefined) {
    const alternative = await findAlternative(deps.index, request, caller, request.alt);
    if (alternative) return showFree(deps, request, alternative, circumstances, 'HIT');
  }
  return request.variation === undefined
    ? serveBase(deps, request, caller, circumstances)
    : serveVariation(deps, request, caller, circumstances, request.variation);
}

async function serveBase(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  circumstances: Circumstances,
): Promise<Answer> {
  const made = await makeBase(deps, generationIdentity(request, caller, undefined), caller, circumstances);
  if (made.outcome === 'refused') return made;
  return payFor(deps, made, request, circumstances);
}

/** A variation is free where its base exists; where it does not, the base is made and charged first. */
async function serveVariation(
  deps: ServeAiDeps,
  request: AiRequest,
  caller: KeyedCaller,
  circumstances: Circumstances,
  variation: number,
): Promise<Answer> {
  const identity = generationIdentity(request, caller, variation);
  const known = await deps.index.read(identity.key);
  if (known?.state === 'READY') return showFree(deps, request, known, circumstances, 'HIT');

  const base = await makeBase(deps, generationIdentity(request, caller, undefined), caller, circumstances);
  if (base.outcome === 'refused') return base;
  const deadlineMs = circumstances.deadlineMs - renderingMs;
  const basePath = base.generation.master?.path;
  const made = await deps.make({ identity, deadlineMs, ...(basePath === undefined ? {} : { basePath }) });
  if (made.outcome === 'refused') return made;
  const answer = await showFree(
    deps,
    request,
    made.generation,
    circumstances,
    made.led || base.led ? 'MISS' : 'HIT',
    base.standing,
  );
  // This request's unit has paid for the base, so its one paid delivery is this one. A claim that fails leaves the
  // account a free delivery too many, which is no reason to withhold the picture.
  if (base.led && answer.outcome === 'served') {
    await deps.index
      .takeDelivery(base.generation, circumstances.requestId)
      .catch((error: unknown) => deps.telemetry.error('A delivery could not be claimed', error));
  }
  return answer;
}

function makeBase(
  { make, plans }: ServeAiDeps,
  identity: GenerationIdentity,
  caller: KeyedCaller,
  { allowance, deadlineMs }: Circumstances,
): Promise<MadePicture> {
  const heldMax = caller.kind === 'test' ? testGenerationsAtOnce : plans[caller.plan].generationsAtOnce;
  return make({ identity, limits: { allowance, heldMax }, deadlineMs: deadlineMs - renderingMs });
}

/** Answers with a picture that costs nothing, even when the quota is used up. */
async function showFree(
  { gallery, meter }: ServeAiDeps,
  request: AiRequest,
  generation: Generation,
  { allowance, format, deadlineMs }: Circumstances,
  cache: 'HIT' | 'MISS',
  known?: Standing,
): Promise<Answer> {
  const [picture, standing]: [ServedPicture | undefined, Standing] = await Promise.all([
    gallery.show(generation, request, format, deadlineMs),
    known ?? meter.standing(allowance),
  ]);
  if (!picture) return { outcome: 'refused', refusal: { code: 'upstream_unavailable' }, standing };
  return { outcome: 'served', picture, cache, standing };
}
