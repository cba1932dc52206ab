/** Asks for every image of a page: each must answer 302 with an image of its size, and one tag must show one image. */

import sharp from 'sharp';
import type { ImageGroup } from './images-in-html';

export interface CheckedImages {
  readonly urls: number;
  /** Largest difference between two sizes of one tag, of 255. */
  readonly difference: number;
  readonly faults: readonly string[];
}

/** Pixels per side of the thumbnails that are compared. */
const side = 8;
/**
 * How much two sizes of one image may differ on average, of 255: two sizes of one drawing differ by at most 1, two
 * drawings of the same words by 3.8 and more. The local service draws its images itself, and names no pick of them.
 */
const differenceMax = 2;

interface Answer {
  /** The pick, or the generation, where the service names one: it decides, and thumbnails do where there is none. */
  readonly id: string | undefined;
  readonly thumbnail: Buffer;
}

/** @param key an API key, for more requests than a page without a credential has in an hour */
export async function checkImages(groups: readonly ImageGroup[], key: string): Promise<CheckedImages> {
  const answers = new Map<string, Answer | string>();
  for (const url of new Set(groups.flatMap(({ urls }) => urls))) answers.set(url, await ask(url, key));
  const faults = [...answers].flatMap(([url, answer]) =>
    typeof answer === 'string' ? [`${url}: ${answer}`] : [],
  );
  let largest = 0;
  for (const { urls } of groups) {
    const [first, ...others] = urls.flatMap((url) => {
      const answer = answers.get(url);
      return answer && typeof answer !== 'string' ? [{ url, ...answer }] : [];
    });
    for (const other of first ? others : []) {
      const difference = differenceOf(first as Answer, other);
      largest = Math.max(largest, difference);
      const isAnother = first?.id || other.id ? first?.id !== other.id : difference > differenceMax;
      if (isAnother)
        faults.push(
          `${other.url} shows another image than ${first?.url} (difference ${difference.toFixed(1)})`,
        );
    }
  }
  return { urls: answers.size, difference: largest, faults };
}

/** The answer, or the words for what is wrong with it. */
async function ask(url: string, key: string): Promise<Answer | string> {
  const headers = { 'X-API-Key': key, Accept: 'image/webp,image/*', 'Sec-Fetch-Dest': 'image' };
  const redirect = await fetch(url, { redirect: 'manual', headers, signal: AbortSignal.timeout(30_000) });
  if (redirect.status !== 302) return `answered ${redirect.status}`;
  const { pick, imageId } = (await redirect.json()) as { pick?: string | null; imageId?: string | null };
  const image = await fetch(new URL(redirect.headers.get('location') ?? '', url), { headers });
  if (!image.ok) return `redirected to an answer of ${image.status}`;
  const pixels = sharp(Buffer.from(await image.arrayBuffer()));
  const { width, height } = await pixels.metadata();
  const { searchParams } = new URL(url);
  const asked = `${searchParams.get('width')}x${searchParams.get('height')}`;
  if (`${width}x${height}` !== asked) return `shows ${width}x${height}`;
  const thumbnail = await pixels.resize(side, side, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  return { id: pick ?? imageId ?? undefined, thumbnail };
}

/** Mean difference of the thumbnails' values, of 255. */
function differenceOf(one: Answer, other: Answer): number {
  const sum = one.thumbnail.reduce(
    (total, value, i) => total + Math.abs(value - (other.thumbnail[i] ?? 0)),
    0,
  );
  return sum / one.thumbnail.length;
}
