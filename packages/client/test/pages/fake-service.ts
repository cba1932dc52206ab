/** A service that has an image for any words, as `POST /api/images` does, and remembers its requests. */

import type { BatchImage } from '../../src/fetch-records';
import type { FindImages } from '../../src/pages/find-images';
import type { ImageRecord, Problem } from '../../src/service';
import { record } from '../record';

export interface FakeService {
  readonly find: FindImages;
  readonly requested: BatchImage[];
  /** The sizes of the calls, and what each excluded. */
  readonly calls: { readonly size: number; readonly exclude: readonly string[] }[];
}

/** The shortage of the service. */
interface Shortage {
  /** The code of the problem of an image, by its words. */
  readonly problems?: Readonly<Record<string, Problem['code']>>;
  /** Number of images for any words. */
  readonly candidates?: number;
  /** Fields of the records that are not the usual ones. */
  readonly more?: Partial<ImageRecord>;
}

/** A pick by its number. */
export const pickOf = (number: number) => number.toString(16).padStart(20, '0');

export function fakeService({ problems = {}, candidates = Infinity, more }: Shortage = {}): FakeService {
  const requested: BatchImage[] = [];
  const calls: FakeService['calls'] = [];
  const made = new Map<string, string[]>();
  let count = 0;
  return {
    requested,
    calls,
    async find({ images, exclude = [] }) {
      requested.push(...images);
      calls.push({ size: images.length, exclude });
      const answers = images.map((image) => {
        const code = problems[image.query];
        if (code) return [image.slot, problem(code)] as const;
        const all = made.get(image.query) ?? [];
        made.set(image.query, all);
        if (image.pick === undefined && all.length >= candidates)
          return [image.slot, problem('no_image_found')] as const;
        if (image.pick === undefined) count += 1;
        const pick = image.pick ?? pickOf(count);
        if (image.pick === undefined) all.push(pick);
        return [image.slot, { ...recordOf(image, pick), ...more }] as const;
      });
      return Object.fromEntries(answers);
    },
  };
}

function problem(code: Problem['code']): Problem {
  return { type: 'about:blank', title: code, status: 404, detail: `It is ${code}.`, code, requestId: 'r' };
}

/** Every second image asks for a credit. */
function recordOf({ query, width = 0, height = 0 }: BatchImage, pick: string): ImageRecord {
  const at = (w: number) =>
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
    src: at(width),
    srcset: `${at(width)} ${width}w, ${at(2 * width)} ${2 * width}w`,
    html: isCredited ? '<figure><img src="a"><figcaption>Photo</figcaption></figure>' : '<img src="a">',
  };
}
