/** Work that a caller can do without fails into the log. */

import { orLogged } from '../../lambda/base/or-logged';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';

test('gives back what the work makes, and logs a failure with what is known of it', async () => {
  const telemetry = createRecordedTelemetry();
  expect(await orLogged(telemetry, 'It failed', async () => 'made', { kind: 'a' })).toBe('made');
  expect(telemetry.errors).toEqual([]);
  const error = new Error('no table');
  expect(await orLogged(telemetry, 'It failed', () => Promise.reject(error), { kind: 'a' })).toBeUndefined();
  expect(telemetry.errors).toEqual([{ message: 'It failed', error, fields: { kind: 'a' } }]);
});
