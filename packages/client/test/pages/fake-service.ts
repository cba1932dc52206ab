/** A service that has an image for any words, as `POST /api/images` returns them, and remembers what was requested. */

import type { BatchImage } from '../../src/fetch-records';
import type { FindImages } from '../../src/pages/fill-html';
import type { ImageRecord, Problem } from '../../src/service';
import { record } from '../record';

export interface FakeService {
  readonly find: FindImages;
  readonly requested: BatchImage[];
  /** What each call excluded. */
  readonly excluded: (readonly string[])[];
}

/** @param problems the code of the problem of an image, by its words */
export function fakeService(problems: Readonly<Record<string, Problem['code']>> = {}): FakeService {
  const requested: BatchImage[] = [];
  const excluded: (readonly string[])[] = [];
  let made = 0;
  return {
    requested,
    excluded,
    async find({ exclude, images }) {
      excluded.push(exclude);
      requested.push(...images);
      return Object.fromEntries(
        images.map((image) => {
          made += 1;
          const code = problems[image.query];
          return [image.slot, code ? problem(code) : recordOf(image, made)];
        }),
      );
    },
  };
}

function problem(code: Problem['code']): Problem {
  return { type: 'about:blank', title: code, status: 404, detail: `It is ${code}.`, code, requestId: 'r' };
}

/** The pick of the image that is found as this one, from 1. */
export const pickOf = (number: number): string => String(number).padStart(20, '0');

/** Every second image asks for a credit. */
function recordOf({ query, width = 0, height = 0 }: BatchImage, number: number): ImageRecord {
  const at = (w: number) =>
    `https://img.service.test/api/image?query=${encodeURIComponent(query)}&pick=${pickOf(number)}&width=${w}`;
  const isCredited = number % 2 === 0;
  const creditLine = `Photo ${number} by A & B on Commons (CC BY 4.0)`;
  const credit = `<a href="https://commons.test/?n=${number}&#38;x" rel="noopener">Photo ${number} by A &#38; B on Commons (CC BY 4.0)</a>`;
  const img = `<img src="${at(width).replace(/&/g, '&#38;')}" width="${width}">`;
  return {
    ...record,
    url: `https://cdn.service.test/${number}.jpg`,
    width,
    height,
    attribution: {
      providerName: 'Commons',
      license: { id: isCredited ? 'cc-by-4.0' : 'cc0-1.0', name: 'Licence' },
      creditLine,
    },
    alt: `Alt of ${query}`,
    pick: pickOf(number),
    src: at(width),
    srcset: `${at(width)} ${width}w, ${at(2 * width)} ${2 * width}w`,
    html: isCredited ? `<figure>${img}<figcaption>${credit}</figcaption></figure>` : img,
  };
}
