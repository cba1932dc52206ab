/** Turns a finished generation into an image of exactly the wanted size, at a URL its caller may load. */

import { closing } from '../base/deadline';
import type { ExpiringCache } from '../base/expiring-cache';
import { orLogged } from '../base/or-logged';
import { timeOfUlid } from '../base/ulid';
import type { AiLabel } from '../contract/environment';
import { type Delivery, publicUrl, signedUrl } from '../images/delivery-urls/delivery';
import type { ServedImage } from '../images/image';
import { extensionOf, type LibraryPath } from '../images/library-path';
import { pickOfAiImage } from '../images/picked-images';
import type { Attribution } from '../images/record';
import { type Renderer, RendererBusy, reportNotRendered } from '../images/renderer';
import {
  claimNote,
  type MadeRendition,
  type NoteServices,
  noteMade,
  readNote,
  releaseNote,
} from '../images/rendition-notes';
import { generationInProgress, type Refusal } from '../problems/problem';
import { takeFor } from '../quota/charge';
import type { RequestContext } from '../quota/request-context';
import type { LimitServices } from '../quota/take';
import type { LabelledSize } from '../requests/rendition';
import { generationRenditionPath, ownershipOf } from './generation-identity';
import type { Generation, Master } from './generations';

/** What delivering needs of `Services`, and how this service labels AI images. */
export interface DeliverServices extends NoteServices, LimitServices {
  readonly tables: NoteServices['tables'] & LimitServices['tables'];
  readonly ids: { hex(bytes: number): string };
  readonly renderer: Renderer;
  readonly delivery: Delivery;
  /** Renditions that this process has met, by their paths. */
  readonly renditions: ExpiringCache<MadeRendition>;
  /**
   * Whether a rendition that was made is still there. Absent where nothing removes one before it is forgotten here, so
   * that no request asks the store.
   */
  readonly isStored: ((path: LibraryPath) => Promise<boolean>) | undefined;
  /** Beside the label that a request asks for. */
  readonly aiLabel: AiLabel;
}

/** What became of delivering an image; no request is charged here. */
export type Delivered =
  | { readonly outcome: 'delivered'; readonly image: ServedImage }
  /** The generation's master is not there any more, so nothing can be made from it. */
  | { readonly outcome: 'lost' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

type DeliveryContext = Pick<RequestContext, 'format' | 'deadlineMs' | 'workLimits' | 'requestId'>;

/** First pause between two reads of a rendition that another request makes, in milliseconds, and how much longer each is. */
const pauseMs = 150;
const pauseGrowth = 1.5;

/**
 * A rendition that exists by the time its URL is given out. One that has to be made takes a unit of `work`, from the one
 * request that makes it.
 * @throws `Outage` when the note of the rendition cannot be read or written
 */
export async function deliver(
  services: DeliverServices,
  generation: Generation,
  size: LabelledSize,
  context: DeliveryContext,
): Promise<Delivered> {
  const { key, execution, master } = generation;
  if (!master || execution === undefined) throw new Error('A finished generation has a master');
  const label = services.aiLabel === 'off' ? size.label : services.aiLabel;
  const name = `${size.widthPx}x${size.heightPx}${label ? `-${label}` : ''}`;
  const extension = extensionOf(`image/${context.format}`);
  const path = generationRenditionPath(key, execution, `${name}.${extension}`);
  const rendition = await have(services, path, context, async () => {
    const { widthPx, heightPx } = size;
    const source = { kind: 'stored', path: master.path } as const;
    const generatedBy = { model: master.model, createdMs: timeOfUlid(execution) };
    const { creditLine } = attributionOf(master);
    const metadata = { creditLine, aiGenerated: true, generatedBy };
    const job = { path, source, widthPx, heightPx, format: context.format, metadata };
    return services.renderer.render({ ...job, ...(label && { label }) }, context.deadlineMs);
  });
  if ('outcome' in rendition) return rendition;
  const isPublic = ownershipOf(key).visibility === 'public';
  const { url: location, ...signed } = isPublic
    ? { url: publicUrl(services.delivery, path) }
    : await signedUrl(services.delivery, path, services.clock.nowMs());
  const image: ServedImage = {
    location,
    widthPx: size.widthPx,
    heightPx: size.heightPx,
    source: 'ai',
    attribution: attributionOf(master),
    ...(size.label && { label: size.label }),
    imageId: generation.imageId,
    pick: pickOfAiImage(generation.imageId),
    ...rendition,
    ...('endsMs' in signed ? { locationEndsMs: signed.endsMs } : {}),
  };
  return { outcome: 'delivered', image };
}

type NotDelivered = Exclude<Delivered, { outcome: 'delivered' }>;

/** Finds a rendition, waits for the request that makes it, or makes it. */
async function have(
  services: DeliverServices,
  path: LibraryPath,
  { deadlineMs, workLimits, requestId }: DeliveryContext,
  render: () => ReturnType<Renderer['render']>,
): Promise<MadeRendition | NotDelivered> {
  const { clock, isStored, renditions } = services;
  const by = services.ids.hex(8);
  let gone: string | undefined;
  const known = renditions.get(path, clock.nowMs());
  if (known && !isStored) return known;
  for (let delayMs = pauseMs; ; delayMs = Math.round(delayMs * pauseGrowth)) {
    const note = await readNote(services, path);
    if (note?.made) {
      if (!isStored || (await isStored(path))) {
        renditions.set(path, note.made, note.untilMs);
        return note.made;
      }
      gone = note.by;
    } else if (note) {
      const leftMs = deadlineMs - clock.nowMs();
      if (leftMs <= 0) return { outcome: 'refused', refusal: generationInProgress };
      await clock.sleep(Math.min(delayMs, leftMs));
      continue;
    }
    if (await claimNote(services, path, by, gone)) break;
  }
  const limited = await takeFor(services, workLimits, requestId);
  const made = limited
    ? ({ outcome: 'refused', refusal: limited } as const)
    : await renderedBy(services, path, render);
  const noting =
    'outcome' in made ? releaseNote(closing(services), path, by) : noteMade(services, path, by, made);
  await orLogged(services.telemetry, 'A rendition was not noted', () => noting);
  return made;
}

/** Makes a rendition; what fails is a value. */
async function renderedBy(
  { telemetry }: DeliverServices,
  path: LibraryPath,
  render: () => ReturnType<Renderer['render']>,
): Promise<MadeRendition | NotDelivered> {
  try {
    const rendered = await render();
    if (rendered.outcome === 'gone') {
      telemetry.error('A master is gone', undefined, { path });
      return { outcome: 'lost' };
    }
    if (rendered.outcome === 'unusable') throw new Error(`A master is unusable: ${rendered.reason}`);
    return rendered.placeholder ? { placeholder: rendered.placeholder } : {};
  } catch (error) {
    reportNotRendered(telemetry, error, { path });
    // What a renderer did not get to may be done by the next request.
    const refusal =
      error instanceof RendererBusy ? generationInProgress : { code: 'upstream_unavailable' as const };
    return { outcome: 'refused', refusal };
  }
}

function attributionOf({ model }: Master): Attribution {
  return {
    providerName: 'AI-generated',
    license: { id: 'ai-generated', name: 'AI-generated image' },
    creditLine: `AI-generated image (${model})`,
  };
}
