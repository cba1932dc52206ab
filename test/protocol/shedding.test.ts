/** What a request costs and leaves behind that is refused early because the account has few executions. */

import { randomBytes } from 'node:crypto';
import { defaultPlans, type Plans } from '../../lambda/contract/plans';
import { generatorStartMs } from '../../lambda/contract/timeouts';
import type { Admission } from '../../lambda/generation/admit-waiting';
import { GeneratorBusy } from '../../lambda/generation/generation-job';
import type { Answer } from '../../lambda/images/answer';
import { memoryTables, type TablesUnderTest } from '../contracts/tables-under-test';
import { openService, type Service } from './service';

jest.setTimeout(60_000);

const endOf = (answer: Answer) => (answer.outcome === 'served' ? 'served' : answer.refusal.code);

describe('requests refused early', () => {
  let tables: TablesUnderTest;
  let service: Service;
  let isFull: boolean;
  let left: number;
  const admission: Admission = {
    isBounded: true,
    leave: async () => {
      left += 1;
    },
  };
  const open = (plans: Plans = defaultPlans, generationsPerDay?: number) => {
    [isFull, left] = [false, 0];
    service = openService(tables, randomBytes(6).toString('hex'), plans, generationsPerDay, async () =>
      isFull ? undefined : admission,
    );
  };
  beforeAll(async () => {
    tables = memoryTables();
  });
  beforeEach(() => open());
  afterEach(() => expect(service.alarms()).toBe(0));
  afterAll(() => tables?.stop());

  it('costs nothing and begins nothing while as many wait as may', async () => {
    isFull = true;
    const answer = await service.ask({});
    expect(answer).toMatchObject({ refusal: { code: 'generation_in_progress', retryAfterS: 5 } });
    expect([service.drawn.length, await service.taken()]).toEqual([0, 0]);
    expect(await service.sweep()).toBe(0);
    isFull = false;
    expect(endOf(await service.ask({}))).toBe('served');
    expect(await service.taken()).toBe(1);
  });

  it('serves an image that exists, however many wait', async () => {
    await service.ask({});
    isFull = true;
    expect(endOf(await service.ask({}))).toBe('served');
    expect(endOf(await service.ask({ alt: 1 }))).toBe('served');
  });

  it('leaves its place whether the image came, was refused or could not be made', async () => {
    await service.ask({});
    expect(left).toBe(1);
    service.answerWith('content_refused');
    await service.ask({ query: 'another image' });
    expect(left).toBe(2);
    service.refuseJobs();
    await service.ask({ query: 'a third image' });
    expect(left).toBe(3);
  });

  it('does not wait for a generator that does not start, and is charged once when the image comes', async () => {
    service.hold();
    const beganMs = service.nowMs();
    expect(endOf(await service.ask({}))).toBe('generation_in_progress');
    expect(service.nowMs() - beganMs).toBe(generatorStartMs);
    // It is known by now that none has started: the next request does not wait for it either.
    expect(endOf(await service.ask({}))).toBe('generation_in_progress');
    expect(service.nowMs() - beganMs).toBe(generatorStartMs);
    expect(left).toBe(2);
    await service.letGo();
    expect(endOf(await service.ask({}))).toBe('served');
    expect([service.drawn.length, await service.taken()]).toEqual([1, 1]);
  });

  it('gives back everything when Lambda refuses the job, and may be repeated at once', async () => {
    open(defaultPlans, 1);
    service.refuseJobs(new GeneratorBusy('Lambda takes no more events'));
    expect(endOf(await service.ask({}))).toBe('generation_in_progress');
    expect(await service.taken()).toBe(0);
    expect(await service.sweep()).toBe(0);
    service.takeJobs();
    // Also the day's ceiling of one image has been given back.
    expect(endOf(await service.ask({}))).toBe('served');
    expect(await service.taken()).toBe(1);
  });
});
