/** An invocation of the generator function ends when its job has ended, and says what it left unfinished. */

import { generatorHandler } from '../../../lambda/functions/generator/handler';
import { acquire, readGeneration } from '../../../lambda/generation/generations';
import { aGenerationJob } from '../../fakes/ai';
import { aiServices } from '../../fakes/ai-services';
import { createFakeIds } from '../../fakes/ids';
import { createFakeImageLibrary } from '../../fakes/image-library';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createVirtualClock } from '../../fakes/virtual-clock';

const context = { getRemainingTimeInMillis: () => 60_000 };

test('a job that no model draws ends its image; one whose table does not answer is logged and left to its lease', async () => {
  const telemetry = createRecordedTelemetry();
  const { services } = aiServices(createVirtualClock(), { telemetry });
  const handlerOn = (tables: typeof services.tables) =>
    generatorHandler({
      ...services,
      tables,
      bucket: createFakeImageLibrary(),
      codec: { measure: async () => ({ outcome: 'unusable', reason: 'none' }) },
      modelFor: () => Promise.reject(new Error('no model')),
      ids: createFakeIds(),
    });
  const { key, execution } = aGenerationJob;
  await acquire(services, { key, execution });
  await handlerOn(services.tables)(aGenerationJob, context);
  expect(await readGeneration(services, key)).toMatchObject({ state: 'failed', why: 'upstream_unavailable' });
  await expect(
    handlerOn({ ...services.tables, generationIndex: 'none' })(aGenerationJob, context),
  ).rejects.toThrow();
  expect(telemetry.errors.map(({ message }) => message)).toEqual([
    'The generator failed',
    'A generation was left unfinished',
  ]);
});
