/** Turns a finished generation into an image of exactly the wanted size, at a URL its caller may load. */

import { FunctionBusy } from '../aws/lambda';
import { closing } from '../base/deadline';
import type { ExpiringCache } from '../base/expiring-cache';
import { growingPauses } from '../base/growing-pauses';
import { orLogged } from '../base/or-logged';
import { timeOfUlid } from '../base/ulid';
import type { AiLabel } from '../contract/environment';
import type { Plans } from '../contract/plans';
import type { Refused, Served } from '../images/answer';
import { type Delivery, publicUrl, signedUrl } from '../images/delivery-urls/delivery';
import type { ServedImage } from '../images/image';
import { extensionOf, type LibraryPath } from '../images/library-path';
import { pickOfAiImage } from '../images/picked-images';
import { type Renderer, reportNotRendered } from '../images/renderer';
import type { RenditionJob } from '../images/renderer-job';
import { claimNote, endClaim, type MadeRendition, readNote } from '../images/rendition-notes';
import { generationInProgress, type Refusal } from '../problems/problem';
import { takeFor } from '../quota/charge';
import type { RequestContext } from '../quota/request-context';
import type { LimitServices } from '../quota/take';
import type { LabelledSize } from '../requests/rendition';
import type { Services } from '../services';
import type { GeneratorQueue } from './generate';
import { executionPath, ownershipOf, renditionsFolder } from './generation-identity';
import type { Generation } from './generations';

/** What serving an AI image needs. */
export interface AiServices extends Omit<LimitServices, 'tables'>, Pick<Services, 'ids'> {
  readonly tables: Pick<Services['tables'], 'cache' | 'generationIndex' | 'quotaCounters'>;
  readonly renderer: Renderer;
  readonly delivery: Delivery;
  /** Renditions that this instance has met, by their paths. */
  readonly renditions: ExpiringCache<MadeRendition>;
  readonly generatorQueue: GeneratorQueue;
  readonly plans: Plans;
  /** The operator's day of generations, for all accounts together; absent for none. */
  readonly generationsPerDay: number | undefined;
  /** Concurrent executions of the AWS account that no function has reserved; `undefined` where nothing bounds them. */
  readonly unreservedExecutions: () => Promise<number | undefined>;
  /** The label of every image, beside that which a request asks for. */
  readonly aiLabel: AiLabel;
  /** Whether a rendition that was made is still there; absent where nothing removes one before it is forgotten here. */
  readonly isStored: ((path: LibraryPath) => Promise<boolean>) | undefined;
}

/** An image, or why there is none, before it is known what it has cost. */
export type Outcome = Omit<Served, 'payment'> | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** The master of an image is not there any more, so nothing can be made from it. */
interface Lost {
  readonly outcome: 'lost';
}

type DeliveryContext = Pick<RequestContext, 'format' | 'deadlineMs' | 'workLimits' | 'requestId'>;

/**
 * Delivers the image in a size: as a rendition, which exists by the time its URL is given out. One that has to be made takes a unit of `work`, from the one
 * request that makes it.
 * @throws `Outage` when the note of the rendition cannot be read or written
 */
export async function deliver(
  services: AiServices,
  generation: Generation,
  size: LabelledSize,
  context: DeliveryContext,
): Promise<Outcome | Lost> {
  const { aiLabel, delivery, clock } = services;
  const { key, imageId, execution, master } = generation;
  if (!master || execution === undefined) throw new Error('A finished generation has a master');
  const { widthPx, heightPx } = size;
  const { format } = context;
  const label = aiLabel === 'off' ? size.label : aiLabel;
  const file = `${widthPx}x${heightPx}${label ? `-${label}` : ''}.${extensionOf(`image/${format}`)}`;
  const path = executionPath(renditionsFolder(key), execution, file);
  const creditLine = `AI-generated image (${master.model})`;
  const generatedBy = { model: master.model, createdMs: timeOfUlid(execution) };
  const rendition = await findOrMake(services, context, {
    path,
    source: { kind: 'stored', path: master.path },
    widthPx,
    heightPx,
    format,
    metadata: { creditLine, aiGenerated: true, generatedBy },
    ...(label && { label }),
  });
  if ('outcome' in rendition) return rendition;
  const isPublic = ownershipOf(key).visibility === 'public';
  const signed = isPublic ? undefined : await signedUrl(delivery, path, clock.nowMs());
  const image: ServedImage = {
    location: signed?.url ?? publicUrl(delivery, path),
    widthPx,
    heightPx,
    source: 'ai',
    attribution: {
      providerName: 'AI-generated',
      license: { id: 'ai-generated', name: 'AI-generated image' },
      creditLine,
    },
    ...(size.label && { label: size.label }),
    imageId,
    pick: pickOfAiImage(imageId),
    ...rendition,
    ...(signed && { locationEndsMs: signed.endsMs }),
  };
  return { outcome: 'served', image, cache: 'HIT' };
}

/** Finds a rendition, waits for the request that makes it, or makes it. */
async function findOrMake(
  services: AiServices,
  { deadlineMs, workLimits, requestId }: DeliveryContext,
  job: RenditionJob,
): Promise<MadeRendition | Refused | Lost> {
  const { clock, isStored, renditions, telemetry } = services;
  const { path } = job;
  const by = services.ids.hex(8);
  const known = renditions.get(path, clock.nowMs());
  if (known && !isStored) return known;
  const pause = growingPauses(clock, { firstMs: 150, growth: 1.5, endsMs: deadlineMs });
  for (;;) {
    const note = await readNote(services, path);
    if (note?.made && (!isStored || (await isStored(path)))) {
      renditions.set(path, note.made, note.untilMs);
      return note.made;
    }
    if (!note || note.made) {
      if (await claimNote(services, path, by, note?.maker)) break;
      continue;
    }
    if (!(await pause())) return { outcome: 'refused', refusal: generationInProgress };
  }
  const refusal = await takeFor(services, workLimits, requestId);
  const made = refusal
    ? ({ outcome: 'refused', refusal } as const)
    : await makeNow(services, job, deadlineMs);
  await orLogged(telemetry, 'A rendition was not noted', () =>
    'outcome' in made ? endClaim(closing(services), path, by) : endClaim(services, path, by, made),
  );
  return made;
}

/** Makes a rendition; what fails is a value. */
async function makeNow(
  { renderer, telemetry }: AiServices,
  job: RenditionJob,
  deadlineMs: number,
): Promise<MadeRendition | Refused | Lost> {
  const { path } = job;
  try {
    const rendered = await renderer.render(job, deadlineMs);
    if (rendered.outcome === 'gone') {
      telemetry.error('A master is gone', undefined, { path });
      return { outcome: 'lost' };
    }
    if (rendered.outcome === 'unusable') throw new Error(`A master is unusable: ${rendered.reason}`);
    return rendered.placeholder ? { placeholder: rendered.placeholder } : {};
  } catch (error) {
    reportNotRendered(telemetry, error, { path });
    // What a renderer did not get to may be done by the next request.
    if (error instanceof FunctionBusy) return { outcome: 'refused', refusal: generationInProgress };
    return { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
  }
}
