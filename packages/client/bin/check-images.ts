/** Requests every image of a page: each must answer 302 with an image of its size, and one tag must show one image. */

import sharp from 'sharp';
import { attribute, readDocument } from '../src/pages/document';

interface CheckedPage {
  /** How many tags show images of the service. */
  readonly tags: number;
  readonly urls: number;
  /** Largest difference between two sizes of one tag, of 255. */
  readonly difference: number;
  readonly faults: string[];
}

/** Pixels per side of the thumbnails that are compared. */
const side = 8;
/**
 * How much two sizes of one image may differ on average, of 255: two sizes of one drawing differ by at most 1, two
 * drawings of the same words by 3.8 and more. The local service draws its images itself, and names no pick of them.
 */
const differenceMax = 2;

interface Shown {
  readonly url: string;
  /** The pick, or the generation, where the service names one: it decides, and thumbnails do where there is none. */
  readonly id: string | undefined;
  readonly thumbnail: Buffer;
}

/**
 * @param base root of the service
 * @param key an API key, for more requests than a page without a credential has in an hour
 */
export async function checkImages(html: string, base: string, key: string): Promise<CheckedPage> {
  const tags = (readDocument(html)?.elements ?? [])
    .map((element) => ['src', 'srcset', 'imagesrcset', 'style'].map((name) => attribute(element, name) ?? ''))
    .map((values) => values.flatMap((value) => value.match(/https?:\/\/[^\s"')]+/g) ?? []))
    .map((urls) => [...new Set(urls)].filter((url) => url.startsWith(`${base}/`)))
    .filter((urls) => urls.length > 0);
  const answers = new Map<string, Shown | string>();
  for (const url of tags.flat()) if (!answers.has(url)) answers.set(url, await request(url, key));
  const faults = [...answers].flatMap(([url, answer]) =>
    typeof answer === 'string' ? `${url}: ${answer}` : [],
  );
  let largest = 0;
  for (const urls of tags) {
    const [first, ...others] = urls.map((url) => answers.get(url)).filter((one) => typeof one === 'object');
    for (const other of first ? others : []) {
      const difference = differenceOf(first as Shown, other);
      largest = Math.max(largest, difference);
      if (first?.id || other.id ? first?.id !== other.id : difference > differenceMax)
        faults.push(
          `${other.url} shows another image than ${first?.url} (difference ${difference.toFixed(1)})`,
        );
    }
  }
  return { tags: tags.length, urls: answers.size, difference: largest, faults };
}

/** The image, or the words for what is wrong with it. */
async function request(url: string, key: string): Promise<Shown | string> {
  const headers = { 'X-API-Key': key, Accept: 'image/webp,image/*', 'Sec-Fetch-Dest': 'image' };
  const redirect = await fetch(url, { redirect: 'manual', headers, signal: AbortSignal.timeout(30_000) });
  if (redirect.status !== 302) return `answered ${redirect.status}`;
  const { pick, imageId } = (await redirect.json()) as { pick?: string | null; imageId?: string | null };
  const image = await fetch(new URL(redirect.headers.get('location') ?? '', url), { headers });
  if (!image.ok) return `redirected to an answer of ${image.status}`;
  const pixels = sharp(Buffer.from(await image.arrayBuffer()));
  const { width, height } = await pixels.metadata();
  const { searchParams } = new URL(url);
  if (`${width}x${height}` !== `${searchParams.get('width')}x${searchParams.get('height')}`)
    return `shows ${width}x${height}`;
  const thumbnail = await pixels.resize(side, side, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  return { url, id: pick ?? imageId ?? undefined, thumbnail };
}

/** Mean difference of the thumbnails' values, of 255. */
function differenceOf({ thumbnail }: Shown, other: Shown): number {
  const sum = thumbnail.reduce((total, value, i) => total + Math.abs(value - (other.thumbnail[i] ?? 0)), 0);
  return sum / thumbnail.length;
}
