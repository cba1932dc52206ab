/** Images under their picks, as the table remembers them. */

import { createPickedImages } from '../../lambda/images/picked-images';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { anImage } from '../fakes/stock';
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
