/** Images under their picks, as the table remembers them. */

import { pickKeptMs } from '../../lambda/contract/providers';
import {
  type Appearance,
  createPickedImages,
  type PickedPhoto,
  pickedKey,
} from '../../lambda/images/picked-images';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { anImage, aPlaceholder } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';

it('are written once a day, and again at once where that has failed, which is logged', async () => {
  const clock = createVirtualClock();
  const [stockMemory, telemetry] = [createFakeItemStore(clock), createRecordedTelemetry()];
  const { noteAi, imageId } = createPickedImages({ stockMemory, clock, telemetry });
  const note = () => noteAi({ ...anImage, imageId: 'i1', pick: 'p1' });
  stockMemory.fail('write', true);
  await note();
  expect(telemetry.errors).toMatchObject([{ message: 'An image was not stored under its pick' }]);
  stockMemory.fail('write', false);
  for (const passedMs of [0, 86_399_999, 1]) {
    await clock.advance(passedMs);
    await note();
  }
  expect(await imageId('p1')).toBe('i1');
  expect(stockMemory.calls.filter(({ operation }) => operation === 'write')).toHaveLength(3);
});

describe('what is known of an image', () => {
  const { attribution } = anImage;
  const candidate = { id: '1', attribution, description: { rank: 1, color: '#aabbcc' } };
  const photo = { provider: 'p', source: 'stock_b', candidate, placeholder: aPlaceholder };
  const ai = { imageId: 'i1', attribution, placeholder: aPlaceholder };
  it.each<[string, object | undefined, Appearance | undefined]>([
    ['a photo', photo, { source: 'stock_b', color: '#aabbcc', placeholder: aPlaceholder }],
    ['an AI image', ai, { source: 'ai', placeholder: aPlaceholder }],
    [
      'a photo that was removed',
      { source: 'stock_a', color: '#112233' },
      { source: 'stock_a', color: '#112233' },
    ],
    ['one that was never shown', undefined, undefined],
  ])('%s', async (_, value, known) => {
    const clock = createVirtualClock();
    const stockMemory = createFakeItemStore(clock);
    const images = createPickedImages({ stockMemory, clock, telemetry: createRecordedTelemetry() });
    const ends = { freshUntilMs: 7, staleUntilMs: clock.nowMs() + 1e9 };
    if (value) await stockMemory.write(pickedKey('p1'), { value, ...ends });
    const [imageId, asPhoto] = [await images.imageId('p1'), await images.photo('p1')];
    expect(await images.appearance('p1')).toEqual(known);
    expect(imageId).toBe(value === ai ? 'i1' : undefined);
    expect(asPhoto?.value).toEqual(value && 'candidate' in value ? value : undefined);
    expect(asPhoto?.freshUntilMs).toBe(asPhoto && 7);
  });
});

it('is kept for as long as pages show it and a day, and as fresh as its provider was asked', async () => {
  const clock = createVirtualClock();
  const stockMemory = createFakeItemStore(clock);
  const images = createPickedImages({ stockMemory, clock, telemetry: createRecordedTelemetry() });
  const photo = { provider: 'p', candidate: {} } as Partial<PickedPhoto> as PickedPhoto;
  await images.notePhoto('p1', photo, 7);
  const staleUntilMs = clock.nowMs() + pickKeptMs + 86_400_000;
  expect(await images.photo('p1')).toEqual({ value: photo, freshUntilMs: 7, staleUntilMs });
});
