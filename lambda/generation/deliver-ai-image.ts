/** Delivers a finished AI image in exactly the requested size, at a URL its caller may load. */

import { FunctionBusy } from '../aws/lambda';
import { withClosingTime } from '../base/deadline';
import { timeOfUlid } from '../base/ids';
import { growingPauses } from '../base/retry';
import { orLogged } from '../base/telemetry';
import { publicUrl, signedUrl } from '../images/delivery-urls';
import type { ServedImage } from '../images/image';
import { pickOfAiImage } from '../images/picked-images';
import { reportNotRendered } from '../images/renderer';
import type { RenditionJob } from '../images/renderer-job';
import { endLease, leaseRendition, type RenditionNote, readRendition } from '../images/rendition-leases';
import { extensionOf, type StoredPath } from '../images/stored-path';
import { generationInProgress } from '../problems/problem';
import type { RefusedAnswer, UnpaidAnswer } from '../quota/answer';
import { takeWork } from '../quota/charge';
import type { RequestContext } from '../quota/request-context';
import type { LabelledSize, RenditionFormat } from '../requests/rendition';
import { executionPath, ownershipOf, renditionsFolder } from './ai-image-identity';
import type { AiImage } from './ai-image-store';
import type { AiServices } from './ai-services';

/** The file of the master is missing, so that no rendition can be made of it. */
interface MasterGone {
  readonly outcome: 'gone';
}

type DeliveryContext = Pick<RequestContext, 'format' | 'deadlineMs' | 'workLimits' | 'requestId'>;

/**
 * Delivers a finished image in a size, as a rendition that exists by the time its URL is given out. The
 * request that makes the rendition takes a unit of `work`.
 * @throws `Outage` when the item of the rendition cannot be read or written
 */
export async function deliverAiImage(
  services: AiServices,
  aiImage: AiImage,
  size: LabelledSize,
  context: DeliveryContext,
): Promise<UnpaidAnswer | MasterGone> {
  const job = renditionJob(services, aiImage, size, context.format);
  const rendition = await findOrMake(services, context, job);
  if ('outcome' in rendition) return rendition;
  const { imageDomain, clock } = services;
  const { key, imageId } = aiImage;
  const isPublic = ownershipOf(key).visibility === 'public';
  const signed = isPublic ? undefined : await signedUrl(imageDomain, job.path, clock.nowMs());
  const image: ServedImage = {
    location: signed?.url ?? publicUrl(imageDomain, job.path),
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

/** The job of the renderer for a finished image in a size, with the label that the operator prescribes. */
function renditionJob(
  { aiLabel }: AiServices,
  { key, execution, master }: AiImage,
  size: LabelledSize,
  format: RenditionFormat,
): RenditionJob {
  if (!master || execution === undefined) throw new Error('A finished AI image has a master');
  const { widthPx, heightPx } = size;
  const label = aiLabel === 'off' ? size.label : aiLabel;
  const file = `${widthPx}x${heightPx}${label ? `-${label}` : ''}.${extensionOf(`image/${format}`)}`;
  const creditLine = `AI-generated image (${master.model})`;
  const generatedBy = { model: master.model, createdMs: timeOfUlid(execution) };
  return {
    path: executionPath(renditionsFolder(key), execution, file),
    source: { kind: 'stored', path: master.path },
    widthPx,
    heightPx,
    format,
    metadata: { creditLine, aiGenerated: true, generatedBy },
    ...(label && { label }),
  };
}

/** Finds a rendition, or leases and makes it. */
async function findOrMake(
  services: AiServices,
  { deadlineMs, workLimits, requestId }: DeliveryContext,
  job: RenditionJob,
): Promise<RenditionNote | RefusedAnswer | MasterGone> {
  const maker = services.ids.hex(8);
  const found = await findOrLease(services, job.path, maker, deadlineMs);
  if (found.outcome === 'found') return found.note;
  if (found.outcome === 'late') return { outcome: 'refused', refusal: generationInProgress };
  const refusal = await takeWork(services, workLimits, requestId);
  const made = refusal ? ({ outcome: 'refused', refusal } as const) : await render(services, job, deadlineMs);
  await orLogged(services.telemetry, 'A rendition was not noted', () =>
    'outcome' in made
      ? endLease(withClosingTime(services), job.path, maker)
      : endLease(services, job.path, maker, made),
  );
  return made;
}

/** Finds a rendition, or leases it where no request makes it; waits for one that does, until the deadline. */
async function findOrLease(
  services: AiServices,
  path: StoredPath,
  maker: string,
  deadlineMs: number,
): Promise<
  { readonly outcome: 'found'; readonly note: RenditionNote } | { readonly outcome: 'leased' | 'late' }
> {
  const { clock, isStored, renditions } = services;
  const rememberedNote = renditions.get(path, clock.nowMs());
  if (rememberedNote && !isStored) return { outcome: 'found', note: rememberedNote };
  const pause = growingPauses(clock, { firstMs: 150, growth: 1.5, endsMs: deadlineMs });
  for (;;) {
    const item = await readRendition(services, path);
    if (item?.made && (!isStored || (await isStored(path)))) {
      renditions.set(path, item.made, item.untilMs);
      return { outcome: 'found', note: item.made };
    }
    const isBeingMade = item !== undefined && !item.made;
    if (!isBeingMade && (await leaseRendition(services, path, maker, item?.maker)))
      return { outcome: 'leased' };
    if (isBeingMade && !(await pause())) return { outcome: 'late' };
  }
}

/** Has the renderer make a rendition; a failure is returned as a refusal. */
async function render(
  { renderer, telemetry }: AiServices,
  job: RenditionJob,
  deadlineMs: number,
): Promise<RenditionNote | RefusedAnswer | MasterGone> {
  const { path } = job;
  try {
    const rendered = await renderer.render(job, deadlineMs);
    if (rendered.outcome === 'gone') {
      telemetry.error('A master is gone', undefined, { path });
      return { outcome: 'gone' };
    }
    if (rendered.outcome === 'unusable') throw new Error(`A master is unusable: ${rendered.reason}`);
    return rendered.placeholder ? { placeholder: rendered.placeholder } : {};
  } catch (error) {
    reportNotRendered(telemetry, error, { path });
    // No instance of the renderer was free: the next request may find one.
    if (error instanceof FunctionBusy) return { outcome: 'refused', refusal: generationInProgress };
    return { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
  }
}
