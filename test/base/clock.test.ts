/** The clock of this machine. */

import { systemClock } from '../../lambda/base/clock';

test('a pause ends when its signal is aborted', async () => {
  const abort = new AbortController();
  const pause = systemClock.sleep(60_000, abort.signal);
  abort.abort(new Error('enough'));
  await expect(pause).rejects.toThrow();
});
