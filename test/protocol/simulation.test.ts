/** The real use cases keep the charging protocol's invariants under the faults of ten thousand seeds. */

import { lazily } from '../../lambda/base/lazily';
import { simulateAll } from '../simulation/load-simulation';

/** Enough to meet every ending; seed 3,951 is one of the few in which a test key's hour is used up. */
const seeds = 10_000;

jest.setTimeout(300_000);

/** Outside the test runner, where histories take half the time that they take inside it. */
const searched = lazily(async () => {
  const endings = new Set<string>();
  const broken: object[] = [];
  let [histories, messages] = [0, 0];
  await simulateAll(0, seeds, (simulated) => {
    histories += 1;
    messages += simulated.calls;
    for (const ending of simulated.endings) endings.add(ending);
    if (simulated.violations.length > 0) broken.push(simulated);
    return broken.length < 10;
  });
  return { histories, messages, endings, broken };
});

describe('under faults', () => {
  it(`keeps every promise in ${seeds} histories`, async () => {
    const { histories, broken } = await searched();
    expect({ broken, histories }).toEqual({ broken: [], histories: seeds });
  });

  it('ends requests in every way there is', async () => {
    const { messages, endings } = await searched();
    expect([...endings].sort()).toEqual([
      'content_refused',
      'dead',
      'duplicate_image',
      'error',
      'generation_in_progress',
      'generation_paused',
      'image_removed',
      'no_image_found',
      'not_found',
      'quota_exceeded',
      'rate_limited',
      'served',
      'service_unavailable',
      'too_many_generations',
      'upstream_unavailable',
    ]);
    expect(messages).toBeGreaterThan(seeds * 30);
  });
});
