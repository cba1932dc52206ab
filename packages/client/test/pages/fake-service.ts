/** Fakes a service with an image for any words, as `POST /api/images` answers. It remembers its requests. */

import type { BatchImage } from '../../src/fetch-records';
import type { FindImages } from '../../src/pages/find-images';
import type { ImageRecord, Problem } from '../../src/service';
import { record } from '../record';

interface Shortage {
  /** The code of the problem of an image, by its words. */
  readonly problems?: Readonly<Record<string, Problem['code']>>;
  /** Number of images for any words. */
  readonly candidates?: number;
  /** Fields that replace those of the usual records. */
  readonly recordFields?: Partial<ImageRecord>;
}

/** A pick by its number. */
export const makePick = (number: number) => number.toString(16).padStart(20, '0');

export function createFakeService({ problems = {}, candidates = Infinity, recordFields }: Shortage = {}) {
  const requested: BatchImage[] = [];
  const calls: { readonly size: number; readonly exclude: readonly string[] }[] = [];
  const counts = new Map<string, number>();
  let made = 0;
  const answer = (image: BatchImage) => {
    const { query, pick } = image;
    const code = problems[query];
    if (code) return makeProblem(code);
    if (pick !== undefined) return { ...makeRecord(image, pick), ...recordFields };
    const count = counts.get(query) ?? 0;
    if (count >= candidates) return makeProblem('no_image_found');
    counts.set(query, count + 1);
    made += 1;
    return { ...makeRecord(image, makePick(made)), ...recordFields };
  };
  const find: FindImages = async ({ images, exclude = [] }) => {
    requested.push(...images);
    calls.push({ size: images.length, exclude });
    return Object.fromEntries(images.map((image) => [image.slot, answer(image)]));
  };
  return { find, requested, calls };
}

function makeProblem(code: Problem['code']): Problem {
  const status = /^(?:upstream|generation)_/.test(code) ? 503 : 404;
  return { type: 'about:blank', title: code, status, detail: `It is ${code}.`, code, requestId: 'r' };
}

/** Every second image asks for a credit. */
function makeRecord({ query, width = 0, height = 0 }: BatchImage, pick: string): ImageRecord {
  const writeUrl = (w: number) =>
    `https://img.service.test/api/image?query=${encodeURIComponent(query)}&pick=${pick}&width=${w}`;
  const number = Number.parseInt(pick, 16);
  const isCredited = number % 2 === 0;
  return {
    ...record,
    url: `https://cdn.service.test/${number}.jpg`,
    width,
    height,
    attribution: {
      providerName: 'Commons',
      license: { id: isCredited ? 'cc-by-4.0' : 'cc0-1.0', name: 'Licence' },
      creditLine: `Photo ${number} by A & B on Commons (CC BY 4.0)`,
      landingUrl: `https://commons.test/?n=${number}&x`,
    },
    alt: `Alt of ${query}`,
    pick,
    src: writeUrl(width),
    srcset: `${writeUrl(width)} ${width}w, ${writeUrl(2 * width)} ${2 * width}w`,
    html: isCredited ? '<figure><img src="a"><figcaption>Photo</figcaption></figure>' : '<img src="a">',
  };
}
