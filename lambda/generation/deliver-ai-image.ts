/** Delivers a finished AI image in exactly the requested size. The URL of a private image is signed. */

import { makeItemKey, readItem, updateItem } from '../aws/dynamodb';
import { parseUlidTime } from '../base/ids';
import { tryAndLog } from '../base/telemetry';
import { computeTtlS, dayMs } from '../base/window';
import { makePublicUrl, makeSignedUrl } from '../images/delivery-urls';
import type { ServedImage } from '../images/image';
import type { ImageOutcome, RefusedOutcome } from '../images/image-outcome';
import { makeAiPick } from '../images/picked-images';
import { refuseNotRendered } from '../images/renderer';
import type { RenditionJob, StoredRendition } from '../images/renderer-job';
import { findExtension, type StoredPath } from '../images/stored-path';
import { generationInProgress } from '../problems/problem';
import { renderForWork, type WorkContext } from '../quota/take';
import type { LabelledSize, RenditionFormat } from '../requests/rendition';
import { makeGenerationPath, makeRenditionsFolder, parseImageKey } from './ai-image-identity';
import type { AiImage } from './ai-image-store';
import type { AiServices, RenditionFacts } from './ai-services';

/** The outcome if the file of the master is missing, so that no rendition can be made. */
type MasterGone = { readonly outcome: 'gone' };

/** The format of an image, and the limits and id that a new rendition is counted with. */
export type DeliveryContext = WorkContext & { readonly format: RenditionFormat };

/**
 * Delivers a finished image in a size. Its rendition is stored before its URL is given out.
 * @throws `Outage` when the facts of the rendition cannot be read
 */
export async function deliverAiImage(
  services: AiServices,
  aiImage: AiImage,
  size: LabelledSize,
  context: DeliveryContext,
): Promise<ImageOutcome | MasterGone> {
  const job = makeRenditionJob(services, aiImage, size, context.format);
  const rendition = await findOrRender(services, context, job);
  if ('outcome' in rendition) return rendition;
  const { imageDomain, clock } = services;
  const { key, imageId } = aiImage;
  const isPublic = parseImageKey(key).visibility === 'public';
  const signedUrl = isPublic ? undefined : await makeSignedUrl(imageDomain, job.path, clock.nowMs());
  const image: ServedImage = {
    location: signedUrl?.url ?? makePublicUrl(imageDomain, job.path),
    widthPx: size.widthPx,
    heightPx: size.heightPx,
    source: 'ai',
    attribution: {
      providerName: 'AI-generated',
      license: { id: 'ai-generated', name: 'AI-generated image' },
      creditLine: job.metadata.creditLine,
    },
    ...(size.label && { label: size.label }),
    imageId,
    pick: makeAiPick(imageId),
    ...rendition,
    ...(signedUrl && { locationEndsMs: signedUrl.endsMs }),
  };
  return { outcome: 'served', image, cache: 'HIT' };
}

/** Makes the renderer's job. The label that the operator has set wins over that of the request. */
function makeRenditionJob(
  { aiLabel }: AiServices,
  { key, generationId, master }: AiImage,
  size: LabelledSize,
  format: RenditionFormat,
): RenditionJob {
  if (!master || generationId === undefined) throw new Error('A finished AI image has a master');
  const { widthPx, heightPx } = size;
  const label = aiLabel === 'off' ? size.label : aiLabel;
  const file = `${widthPx}x${heightPx}${label ? `-${label}` : ''}.${findExtension(`image/${format}`)}`;
  const creditLine = `AI-generated image (${master.model})`;
  const generatedBy = { model: master.model, createdMs: parseUlidTime(generationId) };
  return {
    path: makeGenerationPath(makeRenditionsFolder(key), generationId, file),
    source: { kind: 'stored', path: master.path },
    widthPx,
    heightPx,
    format,
    metadata: { creditLine, aiGenerated: true, generatedBy },
    ...(label && { label }),
  };
}

/**
 * Finds a stored rendition, or has it rendered for a unit of `work`. If several requests render it at the same
 * time, only the request that stores the file pays.
 */
async function findOrRender(
  services: AiServices,
  context: DeliveryContext,
  job: RenditionJob,
): Promise<RenditionFacts | RefusedOutcome | MasterGone> {
  const knownFacts = await readFacts(services, job.path);
  if (knownFacts && (await services.isStored?.(job.path)) !== false) return knownFacts;
  const rendition = await renderForWork(services, context, () => renderMaster(services, job));
  if (rendition.outcome !== 'stored') return rendition;
  const facts = rendition.placeholder ? { placeholder: rendition.placeholder } : {};
  await tryAndLog(services.telemetry, 'The facts of a rendition were not stored', () =>
    storeFacts(services, job.path, facts),
  );
  return facts;
}

/** How long the facts of a rendition hold. The file is stored for weeks. */
const factsTtlMs = dayMs;
const makeFactsKey = ({ tables }: AiServices, path: StoredPath) =>
  makeItemKey(tables.cache, `RENDITION#${path}`);

async function readFacts(services: AiServices, path: StoredPath): Promise<RenditionFacts | undefined> {
  const { clock, renditions } = services;
  const rememberedFacts = renditions.get(path, clock.nowMs());
  if (rememberedFacts) return rememberedFacts;
  const { facts, endsMs } = (await readItem(services, makeFactsKey(services, path))) ?? {};
  if (!(Number(endsMs) > clock.nowMs())) return undefined;
  renditions.set(path, facts as RenditionFacts, Number(endsMs));
  return facts as RenditionFacts;
}

async function storeFacts(services: AiServices, path: StoredPath, facts: RenditionFacts): Promise<void> {
  const endsMs = services.clock.nowMs() + factsTtlMs;
  services.renditions.set(path, facts, endsMs);
  const set = { facts, endsMs, ttl: computeTtlS(endsMs) };
  await updateItem(services, makeFactsKey(services, path), { set });
}

async function renderMaster(
  { renderer, telemetry }: AiServices,
  job: RenditionJob,
): Promise<StoredRendition | RefusedOutcome | MasterGone> {
  const { path } = job;
  try {
    const rendition = await renderer.render(job);
    if (rendition.outcome === 'gone') telemetry.error('A master is gone', undefined, { path });
    if (rendition.outcome === 'unusable') throw new Error(`A master is unusable: ${rendition.reason}`);
    return rendition;
  } catch (error) {
    // If the renderer is busy, the next request may find a free instance.
    return refuseNotRendered(telemetry, error, generationInProgress, { path });
  }
}
