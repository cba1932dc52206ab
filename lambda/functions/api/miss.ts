/**
 * What the image of a known stock image does not need, in one module: each `import()` costs every start of the function a
 * module, whether it is followed or not.
 */

import { createUnreservedExecutions } from '../../aws/unreserved-executions';
import { createExpiringCache } from '../../base/expiring-cache';
import { currentDeadline } from '../../base/request-deadline';
import type { Caller } from '../../credentials/caller';
import { llmsText } from '../../docs/llms';
import { type AiServices, serveAi } from '../../generation/serve-ai';
import { servePermalink, servePicked } from '../../generation/serve-permalink';
import type { HttpRequest } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import type { Answer } from '../../images/answer';
import { goneCard } from '../../images/gone-card';
import type { DeliveryUrl, ServedImage } from '../../images/image';
import { type NoteServices, noteAiImage, pickedAiImages } from '../../images/picked-images';
import { createImageLibrary } from '../../images/s3/open-library';
import type { RequestContext } from '../../quota/request-context';
import type { ThresholdEvent } from '../../quota/usage/thresholds';
import type { ImageRequest } from '../../requests/image-request';
import type { ImageServices, Parts } from '../../services';
import type { StockMemory } from '../../stock/stock-services';
import { putEvent } from '../aws/event-bus';
import { connectLambda, createInvokeGeneratorQueue, createInvokeRenderer } from '../aws/invoke';
import type { MissWiring, Wiring } from './wiring';

export { callOpenAi } from '../../openai/call';
export { postImages } from '../../pages/batch';
export { postPages } from '../../pages/fill-page';
export { notePublished, publishAs, publishOrderOf } from '../../pages/publishing';
export { reportUsage } from '../../quota/usage/report-usage';
export { getDocument, getElsewhere } from './documents';
export { answerKeys } from './keys';
export { wireStock } from './stock-main';
export { getUsage } from './usage';

/** At some 300 bytes each. */
const urlsRememberedMax = 1_000;

/** What a miss is wired with: each secret is read with the first request that needs it. */
export function wireMiss(wiring: Wiring, memory: StockMemory): MissWiring {
  const { config, readSecret } = wiring;
  const noteServices = () => ({ ...wiring.services, memory });
  const delivery = {
    baseUrl: config.IMAGE_BASE_URL,
    keyPairId: config.SIGNING_KEY_PAIR_ID,
    readPrivateKey: () => readSecret(config.SIGNING_SECRET_ID),
    signed: createExpiringCache<DeliveryUrl>(urlsRememberedMax),
  };
  return { delivery, pickedImages: pickedAiImages(noteServices), noteServices, lambda: connectLambda() };
}

/** Sends an event to the operator, or writes it to the log where no event bus is configured. */
export async function announce({ config, telemetry }: Wiring, event: ThresholdEvent): Promise<void> {
  if (config.EVENT_BUS === undefined) telemetry.info(event.type, event.detail);
  else await putEvent(config.EVENT_BUS, event);
}

const renditionsRememberedMax = 5_000;

/** What answers with AI images. */
export function wireAi(
  wiring: Wiring & MissWiring,
): Pick<Parts, 'serveAi' | 'servePermalink' | 'servePicked'> {
  const { config, clock, lambda, noteServices, pickedImages } = wiring;
  const library = createImageLibrary(config.IMAGE_STORE);
  // A folder is emptied by hand while the service runs; a bucket is not, and asking it would delay each image.
  const isFolder = config.IMAGE_STORE.startsWith('file:');
  const services: AiServices & Pick<MissWiring, 'pickedImages'> = {
    ...wiring.services,
    pickedImages,
    delivery: wiring.delivery,
    renderer: createInvokeRenderer(lambda, config.RENDERER_FUNCTION, clock),
    renditions: createExpiringCache(renditionsRememberedMax),
    isStored: isFolder ? async (path) => (await library.get(path)) !== undefined : undefined,
    aiLabel: config.AI_LABEL,
    generatorQueue: createInvokeGeneratorQueue(lambda, config.GENERATOR_FUNCTION, clock),
    unreservedExecutions: createUnreservedExecutions(lambda, wiring),
    plans: config.PLANS,
    generationsPerDay: config.GENERATIONS_PER_DAY,
    get deadline() {
      return currentDeadline();
    },
  };
  return {
    serveAi: (request, caller, context) =>
      noted(noteServices, caller, context, serveAi(services, request, caller, context)),
    servePermalink: (id, size, caller, context) =>
      noted(noteServices, caller, context, servePermalink(services, id, size, caller, context)),
    servePicked: (request, caller, context) =>
      noted(noteServices, caller, context, servePicked(services, request, caller, context)),
  };
}

/** Stores an image under its pick for the account that is given it; a view that was paid before was noted then. */
async function noted(
  noteServices: () => NoteServices,
  caller: Caller,
  { payment }: RequestContext,
  serving: Promise<Answer>,
): Promise<Answer> {
  const answer = await serving;
  if (answer.outcome === 'served' && caller.kind !== 'anonymous' && !payment)
    await noteAiImage(noteServices(), answer.image);
  return answer;
}

/** The card for an image that is gone, of the size of the request. */
export function wireGoneCard(
  { config, clock, delivery, lambda }: Wiring & MissWiring,
  { provider: source, ...size }: ImageRequest,
  { format, deadlineMs }: RequestContext,
): Promise<ServedImage> {
  const renderer = createInvokeRenderer(lambda, config.RENDERER_FUNCTION, clock);
  return goneCard({ renderer, delivery }, { source }, size, format, deadlineMs);
}

/** Answers a message of the protocol by which models ask. */
export async function postMcp(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
  const { postMcp } = await import('../../pages/mcp/route');
  return postMcp(services, request, llmsText(request.rootUrl, services.config.PLANS));
}
