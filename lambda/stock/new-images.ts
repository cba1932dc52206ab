/**
 * All that serves an image that is not known yet, and what it works with. A known image needs no `import()`, any other one
 * needs this one alone: each `import()` makes another file of the bundle, which every start of the function pays for.
 */

import type { TableServices } from '../aws/dynamodb';
import type { Telemetry } from '../base/telemetry';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { AiServices } from '../generation/deliver';
import * as ai from '../generation/serve-ai';
import * as permalinks from '../generation/serve-permalink';
import type { Answer } from '../images/answer';
import { goneCard } from '../images/gone-card';
import type { ServedImage } from '../images/image';
import { noteAiImage } from '../images/picked-images';
import type { RequestContext } from '../quota/request-context';
import type { AiRequest, ImageRequest, StockRequest } from '../requests/image-request';
import type { LabelledSize } from '../requests/rendition';
import type { Services } from '../services';
import { functionsFor } from './connections';
import { findImage } from './find';
import { reportUse } from './report-use';
import type { FoundImage } from './search';
import type { SearchCaller } from './search-caller';
import type { StockServices } from './stock-services';

export { connect } from './connections';
export { understand } from './understand';

/** Finds a stock image for a request. */
export async function findNew(
  services: Services,
  request: StockRequest,
  { format }: Pick<RequestContext, 'format'>,
  caller: SearchCaller,
): Promise<FoundImage> {
  return findImage(await forStock(services), request, format, caller);
}

/** Has the use of a known image reported. Never throws. */
export async function reportKnownUse(services: Services, image: ServedImage, owner: string): Promise<void> {
  await reportUse(await forStock(services), image, owner);
}

/** Answers with an AI image. */
export async function serveAi(
  services: Services,
  request: AiRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  return noted(services, caller, context, ai.serveAi(await forAi(services), request, caller, context));
}

/** Answers with the AI image of a pick, in the size of a request. */
export async function servePicked(
  services: Services,
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const serving = permalinks.serveAiPick(await forAi(services), request, caller, context);
  return noted(services, caller, context, serving);
}

/** Answers a permalink. @param size without a side: that of the image itself, or what its ratio makes of the other side */
export async function servePermalink(
  services: Services,
  imageId: string,
  size: Partial<LabelledSize>,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const serving = permalinks.servePermalink(await forAi(services), imageId, size, caller, context);
  return noted(services, caller, context, serving);
}

/** The card for an image that is gone, of the size of the request. */
export async function goneCardFor(
  services: Services,
  { provider: source, ...size }: ImageRequest,
  { format, deadlineMs }: RequestContext,
): Promise<ServedImage> {
  return goneCard(await connected(services), { source }, size, format, deadlineMs);
}

/** Stores an image under its pick for the account that is given it; a view that was paid before was noted then. */
async function noted(
  services: Services,
  caller: Caller,
  { payment }: RequestContext,
  serving: Promise<Answer>,
): Promise<Answer> {
  const answer = await serving;
  if (answer.outcome === 'served' && caller.kind !== 'anonymous' && !payment)
    await noteAiImage(services, answer.image);
  return answer;
}

async function connected(services: Services) {
  const connections = await services.connections();
  return { ...services, ...connections, ...functionsFor(services, connections) };
}

async function forStock(services: Services): Promise<StockServices> {
  const { telemetry, ...all } = await connected(services);
  if (!all.onUnreached) return { ...all, telemetry };
  // That providers are not reached is said in one line, and not for each request.
  const error: Telemetry['error'] = (message, fault, fields) => {
    if (fields?.['kind'] !== 'unavailable') telemetry.error(message, fault, fields);
  };
  return { ...all, telemetry: { ...telemetry, error } };
}

async function forAi(services: Services): Promise<AiServices & TableServices<'images'>> {
  const {
    IMAGE_STORE,
    AI_LABEL: aiLabel,
    GENERATIONS_PER_DAY: generationsPerDay,
    PLANS: plans,
  } = services.config;
  const all = await connected(services);
  // A folder is emptied by hand while the service runs; a bucket is not, and asking it would delay each image.
  const isStored: AiServices['isStored'] = IMAGE_STORE.startsWith('file:')
    ? async (path) => (await all.bucket.get(path)) !== undefined
    : undefined;
  return { ...all, aiLabel, generationsPerDay, plans, isStored };
}
