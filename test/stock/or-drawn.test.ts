/** Where no provider is reached, an image is drawn and who runs the service is told once; what is named or not found is not drawn. */

import type { FindImage } from '../../lambda/stock/find-image';
import type { FoundImage } from '../../lambda/stock/keep-image';
import { orDrawn } from '../../lambda/stock/or-drawn';
import { anImage } from '../fakes/stock';

const nowMs = 1_000;
const photo: FoundImage = { outcome: 'found', image: anImage, cache: 'MISS' };
const drawing: FoundImage = { outcome: 'found', image: { ...anImage, title: 'drawn' }, cache: 'HIT' };
const unavailable: FoundImage = { outcome: 'unavailable', refusal: { code: 'upstream_unavailable' } };

function start(...answers: readonly FoundImage[]) {
  const told = jest.fn();
  const found = answers.values();
  const find: FindImage = async () => found.next().value as FoundImage;
  const draw = jest.fn<Promise<FoundImage>, []>(async () => drawing);
  const drawn = orDrawn(find, draw, { nowMs: () => nowMs }, told);
  const ask = (request: object = { query: 'sea' }) => drawn(request as never, 'webp', 5_000, {} as never);
  return { ask, told, draw };
}

it('draws the image for a minute, and tells it once until a provider answers again', async () => {
  const { ask, told } = start(unavailable, unavailable, photo, unavailable);
  const kept = { ...drawing, image: { ...drawing.image, keepUntilMs: nowMs + 60_000 } };
  expect([await ask(), await ask()]).toEqual([kept, kept]);
  expect(told).toHaveBeenCalledTimes(1);
  expect(await ask()).toBe(photo);
  await ask();
  expect(told).toHaveBeenCalledTimes(2);
});

it('draws nothing in place of an image that is named, or that no provider has', async () => {
  const { ask, told, draw } = start(unavailable, { outcome: 'none' });
  expect(await ask({ query: 'sea', pick: '0123456789abcdef0123' })).toBe(unavailable);
  expect(await ask()).toEqual({ outcome: 'none' });
  expect([draw, told].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

it('gives the refusal where nothing is drawn either', async () => {
  const { ask, told, draw } = start(unavailable);
  draw.mockResolvedValue({ outcome: 'none' });
  expect(await ask()).toBe(unavailable);
  expect(told).not.toHaveBeenCalled();
});
