/** The contract of the generation index, row by row of the charging protocol. */

import { randomBytes } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Database } from '../../../lambda/aws/dynamodb/call';
import { createGenerationIndex } from '../../../lambda/generation/dynamodb/generation-index';
import type {
  Acquisition,
  Failed,
  Finished,
  Generation,
  GenerationIndex,
  Lease,
} from '../../../lambda/generation/generation';
import type { ImageKey } from '../../../lambda/generation/generation-identity';
import { startTables, type TablesUnderTest } from '../../contracts/tables-under-test';
import { imageKey, libraryPath } from '../../fakes/branded';

const startMs = Date.UTC(2026, 10, 21, 12);
const leaseMs = 150_000;

jest.setTimeout(30_000);

describe('the generation index', () => {
  let subject: TablesUnderTest;
  let index: GenerationIndex;
  let key: ImageKey;
  let executions: number;

  beforeAll(async () => {
    subject = await startTables();
    index = createGenerationIndex(subject.client as Database, subject.tableNames.generationIndex);
  });
  beforeEach(() => {
    key = imageKey(`G#live#a#public#${randomBytes(16).toString('hex')}`);
    executions = 0;
  });
  afterAll(() => subject?.stop());

  const acquisition = (changes: Partial<Acquisition> = {}): Acquisition => ({
    key,
    execution: `EX${executions++}`,
    imageId: key.slice(-32),
    quotaKey: 'Q#a#2026-11',
    nowMs: startMs,
    leaseEndsMs: startMs + leaseMs,
    ...changes,
  });
  const leased = async (changes: Partial<Acquisition> = {}): Promise<Lease> => {
    const acquired = await index.acquire(acquisition(changes));
    if (acquired.outcome !== 'leased') throw new Error(`Expected a lease, got ${JSON.stringify(acquired)}`);
    return acquired.lease;
  };
  const finished = (changes: Partial<Finished> = {}): Finished => ({
    master: { path: libraryPath('public/a/master.png'), model: 'm', widthPx: 1536, heightPx: 864 },
    charged: true,
    nowMs: startMs,
    ...changes,
  });
  const failed = (changes: Partial<Failed> = {}): Failed => ({
    why: 'upstream_unavailable',
    tries: 1,
    notBeforeMs: startMs + 5_000,
    nowMs: startMs,
    ...changes,
  });
  const now = async () => (await index.read(key)) as Generation;
  const unchanged = async (act: () => Promise<unknown>) => {
    const before = await index.read(key);
    await act();
    expect(await index.read(key)).toEqual(before);
  };

  describe('acquire', () => {
    it('leases what does not exist yet', async () => {
      const { execution } = await leased();
      expect(await now()).toEqual({
        key,
        imageId: key.slice(-32),
        state: 'LEASED',
        execution,
        fence: 1,
        settled: false,
        due: false,
        tries: 0,
        quotaKey: 'Q#a#2026-11',
        leaseEndsMs: startMs + leaseMs,
      });
    });

    it('is mine when it is repeated, under the same fence', async () => {
      const mine = acquisition();
      const first = await index.acquire(mine);
      expect(await index.acquire(mine)).toEqual(first);
    });

    it('shows another its holder, until the lease has run out', async () => {
      const { execution } = await leased();
      const late = acquisition({ nowMs: startMs + leaseMs });
      expect(await index.acquire(late)).toMatchObject({
        outcome: 'taken',
        generation: { state: 'LEASED', execution, fence: 1 },
      });
      expect(await leased({ nowMs: startMs + leaseMs + 1 })).toMatchObject({ fence: 2 });
    });

    it('does not let a delayed copy of an execution take over its own lease', async () => {
      const mine = acquisition();
      await index.acquire(mine);
      const copy = { ...mine, nowMs: startMs + leaseMs + 1 };
      expect(await index.acquire(copy)).toMatchObject({ outcome: 'leased', lease: { fence: 1 } });
    });

    it('shows a finished image, its maker too', async () => {
      const mine = acquisition();
      await index.acquire(mine);
      await index.finalize({ key, execution: mine.execution, fence: 1 }, finished());
      const shown = { outcome: 'taken', generation: { state: 'READY', execution: mine.execution } };
      expect(await index.acquire(mine)).toMatchObject(shown);
      expect(await index.acquire(acquisition({ nowMs: startMs + 9 * leaseMs }))).toMatchObject(shown);
    });

    it.each(['release', 'abandon'] as const)('leases again at once after %s', async (end) => {
      await index[end](await leased());
      expect((await now()).state).toBe(end === 'release' ? 'IDLE' : 'ABANDONED');
      expect(await leased()).toMatchObject({ fence: 2 });
    });

    it('does not lease a failed generation before its retry time, then leases it and clears the reason', async () => {
      await index.fail(await leased(), failed());
      expect(await index.acquire(acquisition({ nowMs: startMs + 4_999 }))).toMatchObject({
        outcome: 'taken',
        generation: { state: 'FAILED', failure: 'upstream_unavailable', tries: 1 },
      });
      await leased({ nowMs: startMs + 5_000 });
      const again = await now();
      expect(again).toMatchObject({ state: 'LEASED', tries: 1 });
      expect(again.failure).toBeUndefined();
      expect(again.notBeforeMs).toBeUndefined();
    });

    it('forgets the claim and the quota item of the execution before', async () => {
      const first = await leased();
      await index.claim(first, 'run-1');
      await index.abandon(first);
      const { quotaKey: _, ...free } = acquisition();
      const acquired = await index.acquire(free);
      expect((await now()).quotaKey).toBeUndefined();
      expect((await now()).isStarted).toBeUndefined();
      expect(acquired.outcome === 'leased' && (await index.claim(acquired.lease, 'run-2'))).toBeTruthy();
    });

    it('gives the lease to exactly one of many concurrent callers', async () => {
      const all = await Promise.all(Array.from({ length: 25 }, () => index.acquire(acquisition())));
      expect(all.filter(({ outcome }) => outcome === 'leased')).toHaveLength(1);
      expect((await now()).fence).toBe(1);
    });
  });

  describe('claim', () => {
    it('returns the generation to the run that claims it, also repeatedly', async () => {
      const lease = await leased();
      expect((await now()).isStarted).toBeUndefined();
      const claimed = { state: 'LEASED', execution: lease.execution, fence: 1, isStarted: true };
      expect(await index.claim(lease, 'run-1')).toMatchObject(claimed);
      expect(await index.claim(lease, 'run-1')).toMatchObject(claimed);
    });

    it('turns a second run of the same execution away', async () => {
      const lease = await leased();
      await index.claim(lease, 'run-1');
      await unchanged(async () => expect(await index.claim(lease, 'run-2')).toBeUndefined());
    });

    it('turns away who holds no lease, or held an earlier one', async () => {
      expect(await index.claim({ key, execution: 'EX', fence: 1 }, 'run')).toBeUndefined();
      const first = await leased();
      await index.abandon(first);
      await leased();
      await unchanged(async () => expect(await index.claim(first, 'run')).toBeUndefined());
    });
  });

  describe('finalize', () => {
    it('makes it ready, its delivery due and its charge not settled yet', async () => {
      const lease = await leased();
      await index.claim(lease, 'run');
      expect(await index.finalize(lease, finished())).toBe('ready');
      expect(await now()).toEqual({
        key,
        imageId: key.slice(-32),
        state: 'READY',
        execution: lease.execution,
        fence: 1,
        settled: false,
        due: true,
        tries: 0,
        quotaKey: 'Q#a#2026-11',
        master: finished().master,
      });
    });

    it('settles a free execution at once and owes no delivery for it', async () => {
      const lease = await leased();
      await index.finalize(lease, finished({ charged: false }));
      expect(await now()).toMatchObject({ state: 'READY', settled: true, due: false });
    });

    it('succeeds once more without changing anything when its answer was lost', async () => {
      const lease = await leased();
      await index.finalize(lease, finished());
      await index.markSettled(lease);
      await index.takeDelivery(lease, 'request');
      await unchanged(async () => expect(await index.finalize(lease, finished())).toBe('ready'));
    });

    it.each(['release', 'abandon'] as const)('is fenced after %s', async (end) => {
      const lease = await leased();
      await index[end](lease);
      await unchanged(async () => expect(await index.finalize(lease, finished())).toBe('fenced'));
    });

    it('is fenced when another has taken over, holding or ready', async () => {
      const first = await leased();
      const second = await leased({ nowMs: startMs + leaseMs + 1 });
      await unchanged(async () => expect(await index.finalize(first, finished())).toBe('fenced'));
      await index.finalize(second, finished());
      await unchanged(async () => expect(await index.finalize(first, finished())).toBe('fenced'));
    });

    it('is fenced when a late copy of its own acquisition has revived the lease', async () => {
      const mine = acquisition();
      const first = await leased(mine);
      await index.abandon(first);
      const revived = await leased(mine);
      expect(revived).toEqual({ ...first, fence: 2 });
      await unchanged(async () => expect(await index.finalize(first, finished())).toBe('fenced'));
    });
  });

  describe('markSettled', () => {
    it('notes a finished image as settled, repeatedly', async () => {
      const lease = await leased();
      await index.finalize(lease, finished());
      expect(await index.markSettled(lease)).toBe(true);
      expect(await index.markSettled(lease)).toBe(true);
      expect((await now()).settled).toBe(true);
    });

    it('notes nothing on what is not ready by this execution and fence', async () => {
      const lease = await leased();
      await unchanged(async () => expect(await index.markSettled(lease)).toBe(false));
      await index.finalize(lease, finished());
      await unchanged(async () => expect(await index.markSettled({ ...lease, fence: 2 })).toBe(false));
      await unchanged(async () => expect(await index.markSettled({ ...lease, execution: 'X' })).toBe(false));
    });
  });

  describe('fail', () => {
    it('stores reason, attempts and retry time', async () => {
      const lease = await leased();
      expect(await index.fail(lease, failed({ why: 'content_refused', tries: 3 }))).toBe('failed');
      expect(await now()).toMatchObject({
        state: 'FAILED',
        failure: 'content_refused',
        tries: 3,
        notBeforeMs: startMs + 5_000,
      });
    });

    it('has failed for one of two that end the same execution, which gives back what was counted', async () => {
      const lease = await leased();
      await index.fail(lease, failed());
      const later = failed({ notBeforeMs: failed().notBeforeMs + 1 });
      await unchanged(async () => expect(await index.fail(lease, later)).toBe('fenced'));
    });

    it('has failed once more when its answer was lost', async () => {
      const lease = await leased();
      await index.fail(lease, failed());
      await unchanged(async () => expect(await index.fail(lease, failed())).toBe('failed'));
    });

    it('says ready when this very execution had finished', async () => {
      const lease = await leased();
      await index.finalize(lease, finished());
      await unchanged(async () => expect(await index.fail(lease, failed())).toBe('ready'));
    });

    it('is fenced when the lease was taken away, or another has finished', async () => {
      const first = await leased();
      await index.abandon(first);
      await unchanged(async () => expect(await index.fail(first, failed())).toBe('fenced'));
      const second = await leased();
      await index.finalize(second, finished());
      await unchanged(async () => expect(await index.fail(first, failed())).toBe('fenced'));
    });
  });

  describe('release and abandon', () => {
    it('change nothing when the lease is another’s, or was lost', async () => {
      const first = await leased();
      const second = await leased({ nowMs: startMs + leaseMs + 1 });
      await unchanged(() => index.release(first));
      await unchanged(async () => expect(await index.abandon(first)).toBe(false));
      await index.finalize(second, finished());
      await unchanged(() => index.release(second));
      await unchanged(async () => expect(await index.abandon(second)).toBe(false));
    });

    it('change nothing when a late copy of the same acquisition has revived the lease', async () => {
      const mine = acquisition();
      const first = await leased(mine);
      await index.abandon(first);
      await leased(mine);
      await unchanged(() => index.release(first));
      await unchanged(async () => expect(await index.abandon(first)).toBe(false));
      await unchanged(async () => expect(await index.fail(first, failed())).toBe('fenced'));
      await unchanged(async () => expect(await index.claim(first, 'run')).toBeUndefined());
    });

    it('change nothing about what never existed', async () => {
      const lease = { key, execution: 'EX', fence: 1 };
      await index.release(lease);
      expect(await index.abandon(lease)).toBe(false);
      expect(await index.read(key)).toBeUndefined();
    });
  });

  describe('takeDelivery', () => {
    it('goes to exactly one of many concurrent requests', async () => {
      const lease = await leased();
      await index.finalize(lease, finished());
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, i) => index.takeDelivery(lease, `request-${i}`)),
      );
      expect(all.filter((taken) => taken)).toHaveLength(1);
      expect((await now()).due).toBe(false);
    });

    it('recognises the request that has claimed it', async () => {
      const lease = await leased();
      await index.finalize(lease, finished());
      expect(await index.takeDelivery(lease, 'mine')).toBe(true);
      expect(await index.takeDelivery(lease, 'mine')).toBe(true);
      expect(await index.takeDelivery(lease, 'other')).toBe(false);
    });

    it('cannot be claimed before the image is ready, of a free image, or of another execution', async () => {
      const lease = await leased();
      await unchanged(async () => expect(await index.takeDelivery(lease, 'a')).toBe(false));
      await index.finalize(lease, finished());
      await unchanged(async () => expect(await index.takeDelivery({ key, execution: 'X' }, 'a')).toBe(false));
      key = imageKey(`${key}-free`);
      const free = await leased();
      await index.finalize(free, finished({ charged: false }));
      await unchanged(async () => expect(await index.takeDelivery(free, 'a')).toBe(false));
    });
  });

  describe('expiry', () => {
    const expiryS = async () => {
      const command = new GetCommand({
        TableName: subject.tableNames.generationIndex,
        Key: { pk: key },
        ConsistentRead: true,
      });
      return (await subject.client.send(command)).Item?.['ttl'];
    };

    it('is a week after the last touch while there is no image', async () => {
      const lease = await leased();
      expect(await expiryS()).toBe(startMs / 1_000 + 7 * 86_400);
      await index.fail(lease, failed({ nowMs: startMs + 86_400_000 }));
      expect(await expiryS()).toBe(startMs / 1_000 + 8 * 86_400);
    });

    it.each([true, false])('is gone once there is an image (charged: %s)', async (charged) => {
      await index.finalize(await leased(), finished({ charged }));
      expect(await expiryS()).toBeUndefined();
    });

    it('comes back when a lost image is made anew', async () => {
      const lease = await leased();
      await index.finalize(lease, finished({ charged: false }));
      await index.markLost(lease);
      await leased();
      expect(await expiryS()).toBe(startMs / 1_000 + 7 * 86_400);
    });
  });

  describe('markLost', () => {
    it('gives up a settled image: it is listed no more, owes nothing, and may be made anew', async () => {
      const lease = await leased();
      const listing = { similarityKey: key, listedAt: '01' };
      await index.finalize(lease, finished({ listing }));
      await index.markSettled(lease);
      expect(await index.markLost(lease)).toBe(true);
      expect(await now()).toMatchObject({ state: 'IDLE', due: false, fence: 1 });
      expect((await now()).master).toBeUndefined();
      expect(await index.publicOf(key, 10)).toEqual([]);
      expect(await leased()).toMatchObject({ fence: 2 });
    });

    it('keeps an image whose charge is not settled', async () => {
      const lease = await leased();
      await index.finalize(lease, finished());
      await unchanged(async () => expect(await index.markLost(lease)).toBe(false));
    });

    it('keeps an image of another execution or fence, and a pending one', async () => {
      const lease = await leased();
      await unchanged(async () => expect(await index.markLost(lease)).toBe(false));
      await index.finalize(lease, finished({ charged: false }));
      for (const other of [
        { ...lease, execution: 'other' },
        { ...lease, fence: 9 },
      ])
        await unchanged(async () => expect(await index.markLost(other)).toBe(false));
    });
  });

  describe('remove', () => {
    it('takes an image down for good: it is listed and made no more, and keeps its name without an expiry', async () => {
      const lease = await leased();
      await index.finalize(lease, finished({ listing: { similarityKey: key, listedAt: '01' } }));
      expect(await index.remove(key)).toBe(true);
      expect(await index.remove(key)).toBe(true);
      expect(await now()).toMatchObject({ state: 'REMOVED', imageId: expect.any(String) });
      expect((await now()).master).toBeUndefined();
      expect(await index.publicOf(key, 10)).toEqual([]);
      await expect(leased()).rejects.toThrow();
      for (const write of [index.markLost(lease), index.markSettled(lease), index.abandon(lease)])
        expect(await write).toBe(false);
    });

    it('leaves the first delivery to the request that had the image made and has it at hand', async () => {
      const lease = await leased();
      await index.finalize(lease, finished());
      await index.remove(key);
      const generation = await now();
      expect(await index.takeDelivery(generation, 'r1')).toBe(true);
      expect(await index.takeDelivery(generation, 'r2')).toBe(false);
    });

    it('waits for an execution that is making the image, and knows no other name', async () => {
      await leased();
      await unchanged(async () => expect(await index.remove(key)).toBe(false));
      expect(await index.remove(imageKey('G#live#acc_1#public#unknown'))).toBe(false);
    });
  });

  describe('publicOf', () => {
    const publish = async (similarityKey: string, listedAt: string) => {
      key = imageKey(`G#live#${listedAt}#public#${randomBytes(16).toString('hex')}`);
      const lease = await leased();
      await index.finalize(lease, finished({ listing: { similarityKey, listedAt } }));
      return key;
    };

    it('lists what was finished under a similarity key, oldest first, up to the limit', async () => {
      const similarityKey = randomBytes(8).toString('hex');
      const [c, a, b] = [
        await publish(similarityKey, '3'),
        await publish(similarityKey, '1'),
        await publish(similarityKey, '2'),
      ];
      await publish(`${similarityKey}-other`, '0');
      expect((await index.publicOf(similarityKey, 10)).map((one) => one.key)).toEqual([a, b, c]);
      expect((await index.publicOf(similarityKey, 2)).map((one) => one.key)).toEqual([a, b]);
    });

    it('lists neither unlisted nor pending images, and returns complete entries', async () => {
      const similarityKey = randomBytes(8).toString('hex');
      await leased();
      await index.finalize({ key, execution: 'EX0', fence: 1 }, finished());
      expect(await index.publicOf(similarityKey, 10)).toEqual([]);
      const listed = await publish(similarityKey, '1');
      expect(await index.publicOf(similarityKey, 10)).toEqual([await index.read(listed)]);
    });
  });

  describe('byImageId', () => {
    it('finds a generation by its public name', async () => {
      await leased();
      expect(await index.byImageId(key.slice(-32))).toEqual(await now());
    });

    it('finds nothing under an unknown name', async () => {
      expect(await index.byImageId(randomBytes(16).toString('hex'))).toBeUndefined();
    });
  });
});
