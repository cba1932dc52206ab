/** Images by their public id (`pick`): what is needed to show one again in any size, for as long as pages do. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { StockMemory, Stored } from '../base/item-store';
import type { Telemetry } from '../base/telemetry';
import { pickKeptMs, type StockSlot } from '../contract/providers';
import type { Candidate, Fit, Placeholder, ServedImage } from './image';

interface Picked {
  readonly placeholder?: Placeholder;
  /** Whether its provider said that it no longer has it, its file was gone, or it was removed. */
  readonly isGone?: boolean;
}

/** A stock image as it was found; its freshness says until when its provider need not be sent a request about it. */
export interface PickedPhoto extends Picked {
  readonly provider: string;
  /** The slot that found it. */
  readonly source: StockSlot;
  readonly candidate: Candidate;
  readonly fit: Fit;
  /** When its provider last offered it (epoch, milliseconds). */
  readonly offeredMs: number;
}

interface PickedAiImage extends Picked {
  readonly imageId: string;
  /** Of one that was removed. */
  readonly color?: string;
}

/** A stock image that was removed: what its card needs, and nothing of the image. */
type RemovedPhoto = Pick<ServedImage, 'source' | 'color'>;

/** What is stored under a pick. */
export type PickedImage = PickedPhoto | PickedAiImage | RemovedPhoto;

/** What the card that stands in for an image is drawn in. */
export type Appearance = Pick<ServedImage, 'source' | 'color' | 'placeholder'>;

/** The images that were shown, by their picks. */
export interface PickedImages {
  /** @throws when the table fails */
  photo(pick: string): Promise<Stored<PickedPhoto> | undefined>;
  /** Id of the AI image, which its account may see. @throws when the table fails */
  imageId(pick: string): Promise<string | undefined>;
  /** @throws when the table fails */
  appearance(pick: string): Promise<Appearance | undefined>;
  /** Remembers a photo; one that was noted lately is not written again. Never throws. */
  notePhoto(pick: string, photo: PickedPhoto, freshUntilMs: number): Promise<void>;
  /** Remembers an AI image; without effect for any other, which is noted when it is found. Never throws. */
  noteAi(image: ServedImage): Promise<void>;
}

/** Where images are stored by their picks. */
interface PickedImagesDeps {
  readonly stockMemory: Pick<StockMemory, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Pick<Telemetry, 'error'>;
}

const dayMs = 86_400_000;
/** An image that is shown again is written again after a day only. */
const notedMax = 5_000;

/** Key of the item of an image. */
export const pickedKey = (pick: string): string => `IMAGE#${pick}`;

/** Public id of an AI image; like those of photos 80 bits, and no secret. */
export const pickOfAiImage = (imageId: string): string => imageId.slice(0, 20);

/** `ai` is the source of what no slot has served. */
export function appearanceOf(image: PickedImage): Appearance {
  const { color } = 'candidate' in image ? image.candidate.description : image;
  return {
    source: 'source' in image ? image.source : 'ai',
    ...('placeholder' in image && { placeholder: image.placeholder }),
    ...(color !== undefined && { color }),
  };
}

/** An instance remembers for a day what it has noted. */
export function createPickedImages({ stockMemory, clock, telemetry }: PickedImagesDeps): PickedImages {
  const noted = createExpiringCache<true>(notedMax);

  const find = (pick: string) => stockMemory.read<PickedImage>(pickedKey(pick));

  const note = async (pick: string, value: PickedImage, freshUntilMs: number): Promise<void> => {
    const nowMs = clock.nowMs();
    if (noted.get(pick, nowMs)) return;
    noted.set(pick, true, nowMs + dayMs);
    try {
      // Kept a day longer, as a use is noted at most a day late.
      const staleUntilMs = nowMs + pickKeptMs + dayMs;
      await stockMemory.write(pickedKey(pick), { value, freshUntilMs, staleUntilMs });
    } catch (error) {
      noted.delete(pick);
      telemetry.error('An image was not stored under its pick', error);
    }
  };

  return {
    async photo(pick) {
      const stored = await find(pick);
      return stored && 'candidate' in stored.value ? { ...stored, value: stored.value } : undefined;
    },
    async imageId(pick) {
      const stored = await find(pick);
      return stored && 'imageId' in stored.value ? stored.value.imageId : undefined;
    },
    async appearance(pick) {
      const stored = await find(pick);
      return stored && appearanceOf(stored.value);
    },
    notePhoto: note,
    async noteAi({ imageId, pick, placeholder }) {
      if (imageId !== undefined && pick !== undefined)
        await note(pick, { imageId, ...(placeholder && { placeholder }) }, 0);
    },
  };
}
