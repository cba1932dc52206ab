/** Wires what only AI images need; loaded on first need. */

import type { Database } from '../../aws/dynamodb/call';
import { createReadUnreservedExecutions } from '../../aws/unreserved-executions';
import type { Caller } from '../../credentials/caller';
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
import type { Answer } from '../../images/answer';
import type { PickedImages } from '../../images/picked-images';
import { createImageLibrary } from '../../images/s3/open-library';
import { createCharges } from '../../quota/dynamodb/charges';
import type { RequestContext } from '../../quota/request-context';
import { announcingCharges } from '../../quota/usage/at-thresholds';
import { connectLambda, createInvokeGeneratorQueue, createInvokeRenderer } from '../aws/invoke';
import type { SecretsWiring, Wiring } from './wiring';

/** What answers with AI images. */
export interface AiUseCases {
  readonly serveAi: ServeAi;
  readonly servePermalink: ServePermalink;
  readonly servePicked: ServePicked;
}

/** @param db for the generation index and the pending generations */
export function wireAi(wiring: Wiring & SecretsWiring, db: Database): AiUseCases {
  const { config, clock, telemetry, ledger } = wiring;
  const lambda = connectLambda();
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
    isStored: isFolder ? (path) => library.has(path) : undefined,
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
  const { pickedImages } = wiring;
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
      noted(pickedImages, caller, context, serveAi(request, caller, context)),
    servePermalink: (id, size, caller, context) =>
      noted(pickedImages, caller, context, servePermalink(id, size, caller, context)),
    servePicked: (request, caller, context) =>
      noted(pickedImages, caller, context, servePicked(request, caller, context)),
  };
}

/** Stores an image under its pick for the account that is given it; a view that was paid before was noted then. */
async function noted(
  pickedImages: Pick<PickedImages, 'noteAi'>,
  caller: Caller,
  { payment }: RequestContext,
  serving: Promise<Answer>,
): Promise<Answer> {
  const answer = await serving;
  if (answer.outcome === 'served' && caller.kind !== 'anonymous' && !payment)
    await pickedImages.noteAi(answer.image);
  return answer;
}
