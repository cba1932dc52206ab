/**
 * What the image of a known stock image does not need, in one module: each `import()` costs every start of the function a
 * module, whether it is followed or not.
 */

import { type Database, servicesOf } from '../../aws/dynamodb/call';
import { createReadUnreservedExecutions } from '../../aws/unreserved-executions';
import type { Caller } from '../../credentials/caller';
import { llmsText } from '../../docs/llms';
import { createAdmitWaiting } from '../../generation/admit-waiting';
import { createRenditionService } from '../../generation/deliver';
import { createGenerationIndex } from '../../generation/dynamodb/generation-index';
import { createWaitingPlaces } from '../../generation/dynamodb/waiting-places';
import { createMakeImage } from '../../generation/make-image';
import { createServeAi, type ServeAi } from '../../generation/serve-ai';
import {
  createServePermalink,
  createServePicked,
  type ServePermalink,
  type ServePicked,
} from '../../generation/serve-permalink';
import { createSweep } from '../../generation/settle';
import type { HttpRequest } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import type { Answer } from '../../images/answer';
import { createSignedDelivery } from '../../images/delivery-urls/signed-delivery';
import { goneCard } from '../../images/gone-card';
import type { ServedImage } from '../../images/image';
import { type NoteServices, noteAiImage, pickedAiImages } from '../../images/picked-images';
import { createImageLibrary } from '../../images/s3/open-library';
import { createEventBridgeAnnouncer, createLogAnnouncer } from '../../quota/aws/announcers';
import { createCharges } from '../../quota/dynamodb/charges';
import { createUsageMarks } from '../../quota/dynamodb/usage-marks';
import type { RequestContext } from '../../quota/request-context';
import { createAnnounceUsage } from '../../quota/usage/announce-usage';
import { type AnnounceUsage, announcingCharges } from '../../quota/usage/at-thresholds';
import type { ImageRequest } from '../../requests/image-request';
import type { ImageServices } from '../../services';
import type { StockMemory } from '../../stock/stock-services';
import { connectLambda, createInvokeGeneratorQueue, createInvokeRenderer } from '../aws/invoke';
import type { MissWiring, Wiring } from './wiring';

export { callOpenAi } from '../../openai/call';
export { postImages } from '../../pages/batch';
export { postPages } from '../../pages/fill-page';
export { notePublished, publishAs, publishOrderOf } from '../../pages/publishing';
export { answerKeys } from './keys';
export { wireStock } from './stock-main';

/** What a miss is wired with: each secret is read with the first request that needs it. */
export function wireMiss(wiring: Wiring, db: Database, memory: StockMemory): MissWiring {
  const { config, readSecret, telemetry } = wiring;
  const tables = { images: config.IMAGES_TABLE };
  const noteServices = () => ({ ...servicesOf(db), tables, telemetry, memory });
  const delivery = createSignedDelivery({
    baseUrl: config.IMAGE_BASE_URL,
    keyPairId: config.SIGNING_KEY_PAIR_ID,
    readPrivateKey: () => readSecret(config.SIGNING_SECRET_ID),
  });
  return { delivery, pickedImages: pickedAiImages(noteServices), noteServices, lambda: connectLambda() };
}

/** Announces thresholds of usage as events, or in the log where no event bus is configured. */
export function wireAnnouncing(
  wiring: Pick<Wiring, 'config' | 'clock' | 'ids' | 'telemetry'>,
  db: Database,
): AnnounceUsage {
  const { EVENT_BUS: bus, QUOTA_COUNTERS_TABLE: tableName } = wiring.config;
  const announcer =
    bus === undefined ? createLogAnnouncer(wiring.telemetry) : createEventBridgeAnnouncer(bus);
  return createAnnounceUsage({ ...wiring, store: createUsageMarks(db, tableName), announcer });
}

/** What answers with AI images. */
export interface AiUseCases {
  readonly serveAi: ServeAi;
  readonly servePermalink: ServePermalink;
  readonly servePicked: ServePicked;
}

/** @param db for the generation index and the pending generations */
export function wireAi(wiring: Wiring & MissWiring, db: Database): AiUseCases {
  const { config, clock, telemetry, ledger, lambda } = wiring;
  const index = createGenerationIndex(db, config.GENERATION_INDEX_TABLE);
  const charges = announcingCharges(
    createCharges({ db, tableName: config.QUOTA_COUNTERS_TABLE, clock, telemetry }),
    wiring.announceUsage,
  );
  const library = createImageLibrary(config.IMAGE_STORE);
  const renderer = createInvokeRenderer(lambda, config.RENDERER_FUNCTION, clock);
  // A folder is emptied by hand while the service runs; a bucket is not, and asking it would delay each image.
  const isFolder = config.IMAGE_STORE.startsWith('file:');
  const renditions = createRenditionService({
    ...wiring,
    renderer,
    aiLabel: config.AI_LABEL,
    isStored: isFolder ? async (path) => (await library.get(path)) !== undefined : undefined,
  });
  const settling = { ...wiring, index, charges, library };
  const queue = createInvokeGeneratorQueue(lambda, config.GENERATOR_FUNCTION, clock);
  const admit = createAdmitWaiting({
    ...wiring,
    places: createWaitingPlaces(db, config.QUOTA_COUNTERS_TABLE, (below) =>
      Math.floor(Math.random() * below),
    ),
    readUnreserved: createReadUnreservedExecutions(lambda),
    waitingMax: config.WAITING_REQUESTS_MAX,
  });
  const serving = { index, charges, renditions, ledger };
  const make = createMakeImage({ ...settling, admit, queue, sweep: createSweep(settling) });
  const { noteServices } = wiring;
  const serveAi = createServeAi({
    ...wiring,
    ...serving,
    make,
    plans: config.PLANS,
    generationsPerDay: config.GENERATIONS_PER_DAY,
    testKeysGenerate: config.TEST_KEYS_GENERATE,
  });
  const servePermalink = createServePermalink(serving);
  const servePicked = createServePicked({ ...wiring, ...serving, renderer });
  return {
    serveAi: (request, caller, context) =>
      noted(noteServices, caller, context, serveAi(request, caller, context)),
    servePermalink: (id, size, caller, context) =>
      noted(noteServices, caller, context, servePermalink(id, size, caller, context)),
    servePicked: (request, caller, context) =>
      noted(noteServices, caller, context, servePicked(request, caller, context)),
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
