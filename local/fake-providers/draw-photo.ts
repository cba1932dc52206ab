/** Draws the bytes behind the URLs that a fake provider names. */

import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import type { Size } from '../../lambda/requests/rendition';
import type { Subject } from './photo-catalogue';

const photosKeptMax = 24;
const kept = new Map<string, Promise<Buffer>>();

/**
 * A JPEG of a photo. The last ones are kept, as a provider stores its photos: on a busy machine one takes longer to draw
 * than the service waits for it, and the next request finds it.
 * @param crop the exact size to cover; the whole photo in its own size by default
 */
export function drawPhoto(subject: Subject, crop: Size = subject): Promise<Buffer> {
  const { number, words, widthPx, heightPx, flaw } = subject;
  const key = JSON.stringify([number, words, widthPx, heightPx, flaw, crop.widthPx, crop.heightPx]);
  const photo = kept.get(key) ?? drawn(subject, crop);
  kept.delete(key);
  kept.set(key, photo);
  const [oldest] = kept.keys();
  if (kept.size > photosKeptMax && oldest !== undefined) kept.delete(oldest);
  return photo;
}

async function drawn(subject: Subject, crop: Size): Promise<Buffer> {
  if (subject.flaw === 'broken') return Buffer.from('\xff\xd8\xff\xe0 but nothing that follows', 'latin1');
  const { number, words, widthPx, heightPx } = subject;
  const svg = drawScene({ words, seed: String(number), widthPx, heightPx });
  // Rasterised in the size that is asked for, whatever the size of the drawing.
  return sharp(Buffer.from(svg))
    .resize(crop.widthPx, crop.heightPx, { fit: 'cover', kernel: 'linear' })
    .jpeg({ quality: 82 })
    .toBuffer();
}

/** A photo scaled to a width, with the height its proportions give. */
export function scaledTo({ widthPx, heightPx }: Size, wantedPx: number): Size {
  return { widthPx: wantedPx, heightPx: Math.max(1, Math.round((heightPx * wantedPx) / widthPx)) };
}

/** The size that `w` and `h` ask for, as image servers read them. */
export function cropOf(parameters: URLSearchParams, subject: Size): Size {
  const widthPx = Number(parameters.get('w') ?? 0);
  const heightPx = Number(parameters.get('h') ?? 0);
  if (widthPx > 0 && heightPx > 0) return { widthPx, heightPx };
  if (widthPx > 0) return scaledTo(subject, widthPx);
  return subject;
}
