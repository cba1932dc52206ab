/** Delivers a finished AI image in exactly the requested size, at a URL its caller may load. */

import { FunctionBusy } from '../aws/lambda';
import { readUlidTime } from '../base/ids';
import { undefinedIfFailed } from '../base/telemetry';
import { makePublicUrl, makeSignedUrl } from '../images/delivery-urls';
import type { ServedImage } from '../images/image';
import type { ImageOutcome, RefusedOutcome } from '../images/image-outcome';
import { pickOfAiImage } from '../images/picked-images';
import { reportNotRendered } from '../images/renderer';
import type { RenditionJob, StoredRendition } from '../images/renderer-job';
import { extensionOf } from '../images/stored-path';
import { generationInProgress } from '../problems/problem';
import { renderForWork, type WorkContext } from '../quota/take';
import type { LabelledSize, RenditionFormat } from '../requests/rendition';
import { generationPath, parseImageKey, renditionsFolder } from './ai-image-identity';
import type { AiImage } from './ai-image-store';
import type { AiServices } from './ai-services';
import { noteRendition, type RenditionNote, readRenditionNote } from './rendition-notes';

/** The file of the master is missing, so that no rendition can be made of it. */
type MasterGone = { readonly outcome: 'gone' };

/** What an image is delivered with. */
export type DeliveryContext = WorkContext & { readonly format: RenditionFormat };

/**
 * Delivers a finished image in a size, as a rendition that is stored by the time its URL is given out.
 * @throws `Outage` when its note cannot be read
 */
export async function deliverAiImage(
  services: AiServices,
  aiImage: AiImage,
  size: LabelledSize,
  context: DeliveryContext,
): Promise<ImageOutcome | MasterGone> {
  const job = renditionJob(services, aiImage, size, context.format);
  const rendition = await findOrMake(services, context, job);
  if ('outcome' in rendition) return rendition;
  const { imageDomain, clock } = services;
  const { key, imageId } = aiImage;
  const isPublic = parseImageKey(key).visibility === 'public';
  const signed = isPublic ? undefined : await makeSignedUrl(imageDomain, job.path, clock.nowMs());
  const image: ServedImage = {
    location: signed?.url ?? makePublicUrl(imageDomain, job.path),
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
    pick: pickOfAiImage(imageId),
    ...rendition,
    ...(signed && { locationEndsMs: signed.endsMs }),
  };
  return { outcome: 'served', image, cache: 'HIT' };
}

/** Makes the renderer's job for a finished image, with the label that the operator prescribes. */
function renditionJob(
  { aiLabel }: AiServices,
  { key, generationId, master }: AiImage,
  size: LabelledSize,
  format: RenditionFormat,
): RenditionJob {
  if (!master || generationId === undefined) throw new Error('A finished AI image has a master');
  const { widthPx, heightPx } = size;
  const label = aiLabel === 'off' ? size.label : aiLabel;
  const file = `${widthPx}x${heightPx}${label ? `-${label}` : ''}.${extensionOf(`image/${format}`)}`;
  const creditLine = `AI-generated image (${master.model})`;
  const generatedBy = { model: master.model, createdMs: readUlidTime(generationId) };
  return {
    path: generationPath(renditionsFolder(key), generationId, file),
    source: { kind: 'stored', path: master.path },
    widthPx,
    heightPx,
    format,
    metadata: { creditLine, aiGenerated: true, generatedBy },
    ...(label && { label }),
  };
}

/**
 * Finds a stored rendition, or has it made for a unit of `work`. Of several requests that have it made at the
 * same time, all but the one whose file is stored get their unit back.
 */
async function findOrMake(
  services: AiServices,
  context: DeliveryContext,
  job: RenditionJob,
): Promise<RenditionNote | RefusedOutcome | MasterGone> {
  const known = await readRenditionNote(services, job.path);
  if (known && (await services.isStored?.(job.path)) !== false) return known;
  const rendered = await renderForWork(services, context, () => render(services, job));
  if (rendered.outcome !== 'stored') return rendered;
  const note = rendered.placeholder ? { placeholder: rendered.placeholder } : {};
  await undefinedIfFailed(services.telemetry, 'A rendition was not noted', () =>
    noteRendition(services, job.path, note),
  );
  return note;
}

async function render(
  { renderer, telemetry }: AiServices,
  job: RenditionJob,
): Promise<StoredRendition | RefusedOutcome | MasterGone> {
  const { path } = job;
  try {
    const rendered = await renderer.render(job);
    if (rendered.outcome === 'gone') telemetry.error('A master is gone', undefined, { path });
    if (rendered.outcome === 'unusable') throw new Error(`A master is unusable: ${rendered.reason}`);
    return rendered;
  } catch (error) {
    reportNotRendered(telemetry, error, { path });
    // No instance of the renderer was free: the next request may find one.
    const isBusy = error instanceof FunctionBusy;
    return { outcome: 'refused', refusal: isBusy ? generationInProgress : { code: 'upstream_unavailable' } };
  }
}
