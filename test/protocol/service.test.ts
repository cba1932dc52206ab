/** The charge and the result of AI requests, through the real use cases on real tables. */

import { randomBytes } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ulidOf } from '../../lambda/base/ulid';
import { defaultPlans } from '../../lambda/contract/plans';
import { generationLeaseMs } from '../../lambda/contract/timeouts';
import { type Answer, rateLimitOf } from '../../lambda/images/answer';
import { memoryTables, type TablesUnderTest } from '../contracts/tables-under-test';
import { accountId } from '../fakes/branded';
import { openService, type Service } from './service';

jest.setTimeout(60_000);

const plansOf = (monthlyRequests: number, generationsAtOnce = 10) => ({
  ...defaultPlans,
  free: { ...defaultPlans.free, monthlyRequests, generationsAtOnce },
});
const endOf = (answer: Answer) => (answer.outcome === 'served' ? 'served' : answer.refusal.code);
const imageOf = (answer: Answer) => (answer.outcome === 'served' ? answer.image.imageId : undefined);
const placeOf = (answer: Answer) => (answer.outcome === 'served' ? answer.image.location : undefined);
const cacheOf = (answer: Answer) => (answer.outcome === 'served' ? answer.cache : undefined);
const remainingOf = (answer: Answer) => rateLimitOf(answer)?.remaining;

describe('AI images', () => {
  let tables: TablesUnderTest;
  let service: Service;
  const open = (plans = plansOf(1_000)) => {
    service = openService(tables, randomBytes(6).toString('hex'), plans);
  };
  beforeAll(async () => {
    tables = memoryTables();
  });
  beforeEach(() => open());
  afterEach(() => expect(service.alarms()).toBe(0));
  afterAll(() => tables?.stop());

  it('runs one generation for 200 identical concurrent requests, and charges each of them once', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => service.ask({})));
    expect(new Set(answers.map(endOf))).toEqual(new Set(['served']));
    expect(new Set(answers.map(placeOf)).size).toBe(1);
    expect(service.drawn).toHaveLength(1);
    expect(answers.filter((answer) => cacheOf(answer) === 'MISS')).toHaveLength(1);
    expect(await service.taken()).toBe(200);
  });

  it('serves as many of many identical requests as the quota holds, and charges no more', async () => {
    open(plansOf(20));
    const answers = await Promise.all(Array.from({ length: 50 }, () => service.ask({})));
    expect(answers.filter((answer) => endOf(answer) === 'served')).toHaveLength(20);
    expect(answers.filter((answer) => endOf(answer) === 'quota_exceeded')).toHaveLength(30);
    expect(service.drawn).toHaveLength(1);
    expect(await service.taken()).toBe(20);
  });

  it('charges the first delivery once and every later one as an ordinary request', async () => {
    const first = await service.ask({});
    expect([cacheOf(first), remainingOf(first)]).toEqual(['MISS', 999]);
    const second = await service.ask({});
    expect([cacheOf(second), remainingOf(second)]).toEqual(['HIT', 998]);
    expect(await service.taken()).toBe(2);
    expect(service.drawn).toHaveLength(1);
  });

  it('makes the base first for a variation without one, for one unit', async () => {
    const varied = await service.ask({ variation: 3 });
    expect([endOf(varied), cacheOf(varied)]).toEqual(['served', 'MISS']);
    expect(service.drawn.map(({ order }) => order.variation)).toEqual([undefined, 3]);
    expect(service.drawn[1]?.charge?.cost).toBe(0);
    expect(service.drawn[1]?.basePath).toContain('/master.png');
    expect(await service.taken()).toBe(1);
  });

  it('spends the base’s paid delivery on the variation that had it made', async () => {
    await service.ask({ variation: 3 });
    expect(await service.taken()).toBe(1);
    await service.ask({});
    expect(await service.taken()).toBe(2);
  });

  it('gives the unit of a job that could not be handed over back at once', async () => {
    service.refuseJobs();
    expect(await service.ask({})).toMatchObject({ refusal: { code: 'service_unavailable', retryAfterS: 5 } });
    expect(await service.taken()).toBe(0);
    expect(await service.sweep()).toBe(0);
  });

  it('has one MISS among concurrent requests for a variation without a base', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.ask({ variation: 3 })));
    expect(new Set(answers.map(endOf))).toEqual(new Set(['served']));
    expect(service.drawn.map(({ order }) => order.variation)).toEqual([undefined, 3]);
    expect(answers.filter((answer) => cacheOf(answer) === 'MISS')).toHaveLength(1);
    expect(await service.taken()).toBe(1);
  });

  it('takes a free variation over when the lease of its maker has run out', async () => {
    await service.ask({});
    service.hold();
    expect(endOf(await service.ask({ variation: 1 }))).toBe('generation_in_progress');
    service.passTime(generationLeaseMs);
    service.passTime(1);
    void service.letGo();
    expect(endOf(await service.ask({ variation: 1 }))).toBe('served');
    expect(await service.taken()).toBe(1);
  });

  it('takes a free variation over at once after a sweep of everything, as a restart makes it', async () => {
    await service.ask({});
    service.hold();
    expect(endOf(await service.ask({ variation: 1 }))).toBe('generation_in_progress');
    expect(await service.sweep()).toBe(1);
    await service.letGo();
    const before = service.drawn.length;
    expect(endOf(await service.ask({ variation: 1 }))).toBe('served');
    expect(service.drawn.length).toBe(before + 1);
    expect(await service.taken()).toBe(1);
  });

  const larger = { widthPx: 1_600, heightPx: 900 };

  it('makes an image whose master is gone anew, for the price of an image, and then serves it as before', async () => {
    const first = await service.ask({});
    await service.loseImages();
    const anew = await service.ask(larger);
    expect([endOf(anew), cacheOf(anew)]).toEqual(['served', 'MISS']);
    expect(imageOf(anew)).toBe(imageOf(first));
    expect(placeOf(anew)).not.toBe(placeOf(first));
    expect(await service.taken()).toBe(2);
    expect(cacheOf(await service.ask({}))).toBe('HIT');
    expect(service.drawn).toHaveLength(2);
    expect(await service.taken()).toBe(3);
  });

  it('makes a lost image anew for nothing when the delivery that was paid for is still due', async () => {
    service.hold();
    expect(endOf(await service.ask({}))).toBe('generation_in_progress');
    await service.letGo();
    await service.loseImages();
    const anew = await service.ask({});
    expect([endOf(anew), cacheOf(anew)]).toEqual(['served', 'MISS']);
    expect(await service.taken()).toBe(1);
    await service.ask({});
    expect(await service.taken()).toBe(2);
  });

  it('makes a lost variation anew for nothing', async () => {
    await service.ask({});
    await service.ask({ variation: 1 });
    await service.loseImages();
    expect(cacheOf(await service.ask({ ...larger, variation: 1 }))).toBe('MISS');
    expect(await service.taken()).toBe(1);
  });

  it('makes a lost image anew once for many concurrent requests, each for one unit', async () => {
    await service.ask({});
    await service.loseImages();
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.ask(larger)));
    expect(new Set(answers.map(endOf))).toEqual(new Set(['served']));
    expect(answers.filter((answer) => cacheOf(answer) === 'MISS')).toHaveLength(1);
    expect(service.drawn).toHaveLength(2);
    expect(await service.taken()).toBe(21);
  });

  it('refuses a lost image that the quota does not allow to be made anew', async () => {
    open(plansOf(2));
    await service.ask({});
    await service.ask({});
    await service.loseImages();
    expect(endOf(await service.ask(larger))).toBe('quota_exceeded');
    expect(await service.taken()).toBe(2);
  });

  it('passes a lost alternative over for the next one, and lists it no more', async () => {
    const [one, other] = [accountId('a'), accountId('b')];
    const made: (string | undefined)[] = [];
    made.push(imageOf(await service.ask({ visibility: 'public' }, { account: one })));
    await service.loseImages();
    service.passTime(1_000);
    made.push(imageOf(await service.ask({ visibility: 'public' }, { account: other })));
    expect(imageOf(await service.ask({ ...larger, alt: 1 }))).toBe(made[1]);
    expect(imageOf(await service.ask({ ...larger, alt: 2 }))).toBe(made[1]);
    expect(await service.taken()).toBe(0);
  });

  it('makes variations of an existing base for nothing, and the same one only once', async () => {
    await service.ask({});
    const first = await service.ask({ variation: 1 });
    const again = await service.ask({ variation: 1 });
    expect([cacheOf(first), cacheOf(again)]).toEqual(['MISS', 'HIT']);
    expect(placeOf(again)).toBe(placeOf(first));
    expect(imageOf(await service.ask({ variation: 2 }))).not.toBe(imageOf(first));
    expect(service.drawn).toHaveLength(3);
    expect(await service.taken()).toBe(1);
  });

  it('serves free images when the quota is used up, and refuses others', async () => {
    open(plansOf(1));
    await service.ask({ visibility: 'public' });
    expect(endOf(await service.ask({ visibility: 'public' }))).toBe('quota_exceeded');
    expect(endOf(await service.ask({ visibility: 'public', variation: 1 }))).toBe('served');
    expect(endOf(await service.ask({ alt: 2 }))).toBe('served');
    expect(endOf(await service.ask({ query: 'another one' }))).toBe('quota_exceeded');
    expect(await service.taken()).toBe(1);
  });

  it('lists public images for alt in the order in which they were begun, and counts round', async () => {
    const bases: (string | undefined)[] = [];
    for (const account of ['a', 'b', 'c'].map(accountId)) {
      bases.push(imageOf(await service.ask({ visibility: 'public' }, { account })));
      service.passTime(1_000);
    }
    const by = { account: accountId('d') };
    const found: (string | undefined)[] = [];
    for (const alt of [1, 2, 3, 4, 5]) found.push(imageOf(await service.ask({ alt }, by)));
    expect(found).toEqual([bases[0], bases[1], bases[2], bases[0], bases[1]]);
    expect(await service.taken(by)).toBe(0);
    expect(service.drawn).toHaveLength(3);
  });

  it('holds a place for each free variation: what is beyond the plan’s places is refused, and costs nothing', async () => {
    await service.ask({});
    service.hold();
    const variations = Array.from({ length: 10 }, (_, i) => service.ask({ variation: i + 1 }));
    const ends = new Set((await Promise.all(variations)).map(endOf));
    expect(ends).toEqual(new Set(['generation_in_progress']));
    for (const another of [{ query: 'another image' }, { variation: 11 }])
      expect(endOf(await service.ask(another))).toBe('too_many_generations');
    await service.letGo();
    expect(endOf(await service.ask({ variation: 1 }))).toBe('served');
    expect(service.drawn).toHaveLength(11);
    expect([await service.taken(), service.alarms()]).toEqual([1, 0]);
  });

  it.each([
    // Of which a third may be renditions that have to be made.
    ['a free delivery', 'freeDeliveriesPerHour', 6, 'rate_limited'],
    ['one of the month’s generations', 'generationsPerMonth', 3, 'quota_exceeded'],
  ] as const)('counts each free variation as %s', async (_, limit, most, refusal) => {
    const plans = plansOf(1_000);
    open({ ...plans, free: { ...plans.free, [limit]: most } });
    const ends: string[] = [];
    for (const variation of [undefined, 1, 2, 3])
      ends.push(endOf(await service.ask({ ...(variation && { variation }) })));
    expect(ends).toEqual(['served', 'served', 'served', refusal]);
  });

  it('skips the caller’s own base for alt while there is another', async () => {
    const own = imageOf(await service.ask({ visibility: 'public' }));
    expect(imageOf(await service.ask({ alt: 1 }))).toBe(own);
    service.passTime(1_000);
    const other = imageOf(await service.ask({ visibility: 'public' }, { account: accountId('other') }));
    expect(imageOf(await service.ask({ alt: 1 }))).toBe(other);
    expect(imageOf(await service.ask({ alt: 2 }))).toBe(other);
    expect(await service.taken()).toBe(1);
  });

  it('reaches as many public images of others as alt can name, the caller’s own base aside', async () => {
    const others: (string | undefined)[] = [];
    for (let index = 0; index < 12; index++) {
      const account = index === 4 ? undefined : accountId(`other-${index}`);
      const image = imageOf(await service.ask({ visibility: 'public' }, account && { account }));
      if (account) others.push(image);
      service.passTime(1_000);
    }
    expect(imageOf(await service.ask({ alt: 1 }))).toBe(others[0]);
    expect(imageOf(await service.ask({ alt: 5 }))).toBe(others[4]);
    expect(imageOf(await service.ask({ alt: 10 }))).toBe(others[9]);
  });

  it('generates an image for alt where there is none, with the requested visibility, for one unit', async () => {
    const made = await service.ask({ alt: 2, visibility: 'private' });
    expect([endOf(made), cacheOf(made)]).toEqual(['served', 'MISS']);
    expect(placeOf(made)).toContain('/private/');
    expect(await service.taken()).toBe(1);
    const other = await service.ask({ alt: 1, visibility: 'public' }, { account: accountId('other') });
    expect(imageOf(other)).not.toBe(imageOf(made));
    expect(await service.taken({ account: accountId('other') })).toBe(1);
  });

  it('never turns a private image public', async () => {
    const hidden = await service.ask({ visibility: 'private' });
    const open = await service.ask({ visibility: 'public' });
    expect(imageOf(open)).not.toBe(imageOf(hidden));
    expect(placeOf(await service.ask({ visibility: 'private' }))).toContain('/private/');
    expect(await service.taken()).toBe(3);
  });

  it('separates images of test keys from live ones, and does not charge the live quota', async () => {
    const test = { kind: 'test' } as const;
    const tried = await service.ask({ visibility: 'public' }, test);
    expect(placeOf(tried)).toContain('/private/');
    expect(await service.taken()).toBe(0);
    expect(await service.taken(test)).toBe(1);
    expect(imageOf(await service.ask({ visibility: 'public' }))).not.toBe(imageOf(tried));
    expect(imageOf(await service.ask({ alt: 1, visibility: 'public' }, test))).toBe(imageOf(tried));
  });

  it('owes the first delivery after generation_in_progress, to one request', async () => {
    service.hold();
    const late = await service.ask({});
    expect(endOf(late)).toBe('generation_in_progress');
    expect(await service.taken()).toBe(1);
    await service.letGo();
    const first = await service.ask({});
    expect([endOf(first), cacheOf(first)]).toEqual(['served', 'HIT']);
    expect(await service.taken()).toBe(1);
    await service.ask({});
    expect(await service.taken()).toBe(2);
    expect(service.drawn).toHaveLength(1);
  });

  it('refuses a refused query from the cache afterwards, and charges nothing', async () => {
    service.answerWith('content_refused');
    expect(endOf(await service.ask({}))).toBe('content_refused');
    expect(endOf(await service.ask({}))).toBe('content_refused');
    expect(endOf(await service.ask({ variation: 1 }))).toBe('content_refused');
    expect(service.drawn).toHaveLength(1);
    expect(await service.taken()).toBe(0);
  });

  it('returns the refusal to all waiting requests', async () => {
    service.answerWith('content_refused');
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.ask({})));
    expect(new Set(answers.map(endOf))).toEqual(new Set(['content_refused']));
    expect(service.drawn).toHaveLength(1);
    expect(await service.taken()).toBe(0);
  });

  it('backs off from a failing generator, and recovers when it works', async () => {
    service.answerWith('upstream_unavailable');
    for (const pauseMs of [5_000, 10_000, 20_000]) {
      const before = service.drawn.length;
      expect(endOf(await service.ask({}))).toBe('upstream_unavailable');
      // A second short of the pause: who was answered had waited some of it already.
      service.passTime(pauseMs - 1_000);
      expect(await service.ask({})).toMatchObject({
        refusal: { code: 'upstream_unavailable', retryAfterS: 1 },
      });
      expect(service.drawn).toHaveLength(before + 1);
      service.passTime(1_000);
    }
    expect(await service.taken()).toBe(0);
    service.answerWith('image');
    expect(endOf(await service.ask({}))).toBe('served');
    expect(await service.taken()).toBe(1);
  });

  it.each([
    ['what was counted', ''],
    ['what was settled', '#held'],
  ])(
    'asks for another attempt while the clock is behind %s, charges nothing, and releases the image',
    async (_, item) => {
      const change = (UpdateExpression: string, values?: Record<string, string>) =>
        tables.client.send(
          new UpdateCommand({
            TableName: tables.tableNames.quotaCounters,
            Key: { pk: service.quotaKey + item },
            UpdateExpression,
            ...(values && { ExpressionAttributeValues: values }),
          }),
        );
      await change('SET wm = :wm', { ':wm': ulidOf(Date.UTC(2027, 0), new Uint8Array(10)) });
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await service.ask({})).toMatchObject({
          refusal: { code: 'generation_in_progress', retryAfterS: 5 },
        });
      expect([service.drawn.length, await service.taken()]).toEqual([0, 0]);
      await change('REMOVE wm');
      expect(endOf(await service.ask({}))).toBe('served');
      expect(await service.taken()).toBe(1);
    },
  );

  it('makes no image while it is unknown whether the request was counted, and gives its unit back', async () => {
    service.loseCounts(true);
    expect(await service.ask({})).toMatchObject({ refusal: { code: 'service_unavailable', retryAfterS: 5 } });
    expect([service.drawn.length, await service.taken()]).toEqual([0, 0]);
    service.loseCounts(false);
    expect(endOf(await service.ask({}))).toBe('served');
    expect([service.drawn.length, await service.taken()]).toEqual([1, 1]);
  });

  it('limits concurrent generations to the plan’s number, and admits another when one is done', async () => {
    open(plansOf(1_000, 2));
    service.hold();
    const answers = await Promise.all(['x', 'y', 'z'].map((query) => service.ask({ query })));
    expect(answers.map(endOf).sort()).toEqual([
      'generation_in_progress',
      'generation_in_progress',
      'too_many_generations',
    ]);
    expect(await service.taken()).toBe(2);
    await service.letGo();
    const refused = ['x', 'y', 'z'][answers.findIndex((answer) => endOf(answer) === 'too_many_generations')];
    expect(endOf(await service.ask({ query: refused as string }))).toBe('served');
    expect(await service.taken()).toBe(3);
  });
});
