/** The strip of the six best images of a query: one batch for a caller with a key, else one request for each. */

import { byId } from './elements';
import { fetchBatch, fetchRecord, type ImageRecord, type Problem, prefix } from './fetch-record';
import { type RequestValues, urlOf } from './request-url';
import { showPlaceholder } from './show-image';

/** Shorter and longest side of the images in the strip, in pixels. Their ratio is that of the form. */
const stripSidePx = { short: 120, longest: 4000 } as const;

const seeds = ['1', '2', '3', '4', '5', '6'] as const;

/**
 * Shows the images of the seeds 1 to 6 as buttons that fill in their seed.
 * @param key API key, empty without one
 * @returns the problem of the first image that was not found
 * @throws when the service cannot be reached
 */
export async function showStrip(
  values: RequestValues,
  key: string,
  select: (seed: string) => void,
): Promise<Problem | undefined> {
  const ratio = Number(values.width) / Number(values.height);
  const long = Math.min(stripSidePx.longest, Math.round(stripSidePx.short * Math.max(ratio, 1 / ratio)));
  const [width, height] = ratio >= 1 ? [long, stripSidePx.short] : [stripSidePx.short, long];
  const small = { ...values, width: String(width), height: String(height) };
  const strip = byId('six', HTMLElement);
  strip.replaceChildren();
  const show = (seed: string, record: ImageRecord) => strip.append(seedButton(seed, record, select));
  return key === '' ? oneByOne(small, show) : inOneCall(small, key, show);
}

type Show = (seed: string, record: ImageRecord) => void;

/** A batch takes an API key, which this page has from its form only. */
async function inOneCall(values: RequestValues, key: string, show: Show): Promise<Problem | undefined> {
  const response = await fetchBatch(
    seeds.map((seed) => ({ ...values, slot: seed, seed })),
    key,
  );
  if (!response.ok) return response.problem;
  let problem: Problem | undefined;
  for (const seed of seeds) {
    const image = response.images[seed];
    if (image && 'code' in image) problem ??= image;
    else if (image) show(seed, image);
  }
  return problem;
}

async function oneByOne(values: RequestValues, show: Show): Promise<Problem | undefined> {
  for (const seed of seeds) {
    const response = await fetchRecord(urlOf(prefix, { ...values, seed }));
    if (!response.ok) return response.problem;
    show(seed, response.record);
  }
  return undefined;
}

function seedButton(seed: string, record: ImageRecord, select: (seed: string) => void): HTMLElement {
  const item = document.createElement('li');
  const button = document.createElement('button');
  const image = new Image(record.width, record.height);
  image.alt = `Seed ${seed}${record.fit === null ? '' : `, fit ${record.fit}`}`;
  showPlaceholder(image, record);
  image.src = record.url;
  button.type = 'button';
  button.append(image, `seed=${seed}`);
  button.addEventListener('click', () => select(seed));
  item.append(button);
  return item;
}
