/** The real use cases keep the charging protocol's invariants under the faults of ten thousand seeds. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { lazily } from '../../lambda/base/lazily';
import { createScheduler } from '../simulation/kernel';

/** Enough to meet every ending; seed 3,951 is one of the few in which a test key's hour is used up. */
const seeds = 10_000;
const root = join(__dirname, '../..');

jest.setTimeout(300_000);

/** In a process of its own, where the same histories take half the time that they take inside the test runner. */
const searched = lazily(async () => {
  const args = ['--no-warnings', '--import', 'tsx', 'tools/verify.ts', '--seeds', String(seeds)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, said: stdout + stderr };
});

describe('under faults', () => {
  it(`keeps every promise in ${seeds} histories`, async () => {
    const { status, said } = await searched();
    expect(said).toContain(`${seeds.toLocaleString('en')} histories`);
    expect(said).toContain('\n0 violations');
    expect(status).toBe(0);
  });

  it('ends requests in every way there is', async () => {
    const { said } = await searched();
    expect(/Requests ended in: (.*)/.exec(said)?.[1]?.split(', ')).toEqual([
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
    expect(Number(/([\d,]+) messages/.exec(said)?.[1]?.replaceAll(',', ''))).toBeGreaterThan(seeds * 30);
  });
});

describe('virtual time', () => {
  it('passes only from event to event, in their order, and what follows from one comes before the next', async () => {
    const scheduler = createScheduler(1_000);
    const seen: string[] = [];
    const note = (name: string) => void seen.push(`${name} ${scheduler.nowMs()}`);
    scheduler.after(50, () => {
      note('a');
      void Promise.resolve()
        .then(() => scheduler.sleep(0))
        .then(() => note('c'));
    });
    scheduler.after(50, () => note('b'));
    scheduler.after(51, () => note('d'));
    scheduler.after(90, () => note('too late'));
    await scheduler.runUntil(1_080);
    expect(seen).toEqual(['a 1050', 'b 1050', 'c 1050', 'd 1051']);
    expect(scheduler.nowMs()).toBe(1_080);
  });
});
