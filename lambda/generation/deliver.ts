/** Turns a finished generation into an image of exactly the wanted size, at a URL its caller may load. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { Cache } from '../base/item-store';
import type { Telemetry } from '../base/telemetry';
import { timeOfUlid } from '../base/ulid';
import type { AiLabel } from '../contract/environment';
import type { Delivery } from '../images/delivery';
import type { ServedImage } from '../images/image';
import { extensionOf, type LibraryPath } from '../images/library-path';
import { pickOfAiImage } from '../images/picked-images';
import type { Attribution } from '../images/record';
import { type Renderer, RendererBusy, reportNotRendered } from '../images/renderer';
import { generationInProgress, type Refusal } from '../problems/problem';
import type { LabelledSize, RenditionFormat } from '../requests/rendition';
import type { Generation } from './generation';
import { generationRenditionPath, ownershipOf } from './generation-identity';

interface RenditionServiceDeps {
  readonly renderer: Renderer;
  readonly delivery: Delivery;
  /** Remembers which renditions were made, so that the renderer is not asked for each request. */
  readonly cache: Pick<Cache, 'read' | 'write'>;
  /**
   * Whether a rendition that was made is still there. Absent where nothing removes one before it is forgotten here, so
   * that no request asks the store.
   */
  readonly isStored: ((path: LibraryPath) => Promise<boolean>) | undefined;
  /** Beside the label that a request asks for. */
  readonly aiLabel: AiLabel;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** What became of delivering an image; nothing is charged here. */
export type DeliveryOutcome =
  | { readonly outcome: 'delivered'; readonly image: ServedImage }
  /** The generation's master is not there any more, so nothing can be made from it. */
  | { readonly outcome: 'lost' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** Gives out renditions of finished generations. */
export interface RenditionService {
  /** Whether a rendition is known to exist, so that delivering it makes nothing. */
  isMade(generation: Generation, size: LabelledSize, format: RenditionFormat): Promise<boolean>;
  /** A rendition that exists by the time its URL is given out. Never throws because one could not be made. */
  deliver(
    generation: Generation,
    size: LabelledSize,
    format: RenditionFormat,
    deadlineMs: number,
  ): Promise<DeliveryOutcome>;
}

/** A rendition that was made. */
type Made = Pick<ServedImage, 'placeholder'>;

/** How long it is taken for granted that a rendition is still there, in milliseconds. */
const cachedForMs = 86_400_000;
const renditionsRememberedMax = 5_000;

/** Makes each rendition once: what was made is remembered in this instance and in the cache for a day. */
export function createRenditionService({
  renderer,
  delivery,
  cache,
  isStored,
  aiLabel,
  clock,
  telemetry,
}: RenditionServiceDeps): RenditionService {
  const labelOf = ({ label }: LabelledSize) => (aiLabel === 'off' ? label : aiLabel);
  const pathOf = (
    { key, execution }: Generation,
    size: LabelledSize,
    format: RenditionFormat,
  ): LibraryPath => {
    const label = labelOf(size);
    const name = `${size.widthPx}x${size.heightPx}${label ? `-${label}` : ''}`;
    return generationRenditionPath(key, execution, `${name}.${extensionOf(`image/${format}`)}`);
  };
  const made = createExpiringCache<Made>(renditionsRememberedMax);

  const find = async (path: LibraryPath): Promise<Made | undefined> => {
    if (isStored && !(await isStored(path))) return undefined;
    const nowMs = clock.nowMs();
    const remembered = made.get(path, nowMs);
    if (remembered) return remembered;
    const cached = await cache.read<Made>(`V#${path}`);
    if (!cached || cached.freshUntilMs <= nowMs) return undefined;
    made.set(path, cached.value, cached.freshUntilMs);
    return cached.value;
  };

  const note = async (path: LibraryPath, value: Made): Promise<void> => {
    const freshUntilMs = clock.nowMs() + cachedForMs;
    made.set(path, value, freshUntilMs);
    try {
      await cache.write(`V#${path}`, { value, freshUntilMs, staleUntilMs: freshUntilMs });
    } catch (error) {
      telemetry.error('A rendition could not be noted', error);
    }
  };

  return {
    isMade: async (generation, size, format) => (await find(pathOf(generation, size, format))) !== undefined,

    async deliver(generation, size, format, deadlineMs) {
      const { widthPx, heightPx, label } = size;
      const { key, imageId, master } = generation;
      if (!master) throw new Error('A finished generation has a master');
      const attribution = attributionOf(master.model);
      const path = pathOf(generation, size, format);
      let rendition = await find(path);
      if (!rendition) {
        const source = { kind: 'stored', path: master.path } as const;
        const generatedBy = { model: master.model, createdMs: timeOfUlid(generation.execution) };
        const metadata = { creditLine: attribution.creditLine, aiGenerated: true, generatedBy };
        const drawn = labelOf(size);
        try {
          const rendered = await renderer.render(
            { path, source, widthPx, heightPx, format, metadata, ...(drawn && { label: drawn }) },
            deadlineMs,
          );
          if (rendered.outcome === 'gone') {
            telemetry.error('A master is gone', undefined, { imageId });
            return { outcome: 'lost' };
          }
          if (rendered.outcome === 'unusable') throw new Error(`A master is unusable: ${rendered.reason}`);
          const { placeholder } = rendered;
          rendition = placeholder ? { placeholder } : {};
        } catch (error) {
          reportNotRendered(telemetry, error, { imageId });
          return { outcome: 'refused', refusal: refusalAfter(error) };
        }
        await note(path, rendition);
      }
      const isPublic = ownershipOf(key).visibility === 'public';
      const delivered = isPublic
        ? { url: delivery.publicUrl(path) }
        : await delivery.signedUrl(path, clock.nowMs());
      const image: ServedImage = {
        location: delivered.url,
        widthPx,
        heightPx,
        source: 'ai',
        attribution,
        ...(label && { label }),
        imageId,
        pick: pickOfAiImage(imageId),
        ...rendition,
        ...('endsMs' in delivered ? { locationEndsMs: delivered.endsMs } : {}),
      };
      return { outcome: 'delivered', image };
    },
  };
}

/** A renderer that did not get to it may be done by the next request. */
function refusalAfter(error: unknown): Refusal {
  return error instanceof RendererBusy ? generationInProgress : { code: 'upstream_unavailable' };
}

function attributionOf(model: string): Attribution {
  return {
    providerName: 'AI-generated',
    license: { id: 'ai-generated', name: 'AI-generated image' },
    creditLine: `AI-generated image (${model})`,
  };
}
