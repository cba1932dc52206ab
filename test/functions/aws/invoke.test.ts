/** The invoking adapters against the local Invoke API, over real HTTP. */

import type { LambdaClient } from '@aws-sdk/client-lambda';
import { createUnreservedExecutions } from '../../../lambda/aws/unreserved-executions';
import type { Clock } from '../../../lambda/base/clock';
import { systemClock } from '../../../lambda/base/system';
import {
  connectLambda,
  createInvokeBackground,
  createInvokeGeneratorQueue,
  createInvokeRenderer,
} from '../../../lambda/functions/aws/invoke';
import { RendererBusy } from '../../../lambda/images/renderer';
import type { RenditionJob, UseReport } from '../../../lambda/images/renderer-job';
import { createLocalAws, type LocalAws, type LocalFunction } from '../../../local/aws';
import { aGenerationJob } from '../../fakes/ai';
import { libraryPath } from '../../fakes/branded';
import { createDeferred, isSettled } from '../../fakes/deferred';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createVirtualClock } from '../../fakes/virtual-clock';

const job: RenditionJob = {
  path: libraryPath('stock/a.webp'),
  source: { kind: 'drawing', words: 'mountain lake', seed: 'ä' },
  widthPx: 100,
  heightPx: 100,
  format: 'webp',
  metadata: { creditLine: 'Ünsal', aiGenerated: false },
};

const report: UseReport = {
  kind: 'report-use',
  provider: 'unsplash',
  url: 'https://api.unsplash.com/photos/x/download',
};

const reach = ({ address: endpoint }: Loopback) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

describe('invoking functions', () => {
  let loopback: Loopback;
  let aws: LocalAws;
  let client: LambdaClient;
  let handler: LocalFunction;
  let refusals: number[];
  let invocations: number;
  let pauses: number[];
  let failed: unknown[];
  const clock: Clock = {
    nowMs: () => 1_000_000,
    sleep: async (delayMs) => void pauses.push(delayMs),
  };

  beforeEach(async () => {
    handler = async () => ({ outcome: 'stored' });
    [refusals, invocations, pauses, failed] = [[], 0, [], []];
    const renderer: LocalFunction = (event, context) => handler(event, context);
    aws = createLocalAws({ functions: { renderer }, onFailure: (error) => failed.push(error) });
    loopback = await listenOnLoopback(async (request, response) => {
      invocations += 1;
      const status = refusals.shift();
      if (status === undefined) return aws.answer(request, response);
      response
        .writeHead(status, { 'x-amzn-errortype': 'TooManyRequestsException' })
        .end('{"message":"Rate exceeded"}');
    });
    client = connectLambda(reach(loopback));
  });
  afterEach(async () => {
    client.destroy();
    await loopback.stop();
  });

  describe('the renderer', () => {
    const render = (deadlineMs = 1_005_000) =>
      createInvokeRenderer(client, 'renderer', clock).render(job, deadlineMs);

    it('gets the job unchanged and returns the outcome', async () => {
      let seen: unknown;
      handler = async (event) => {
        seen = event;
        return { outcome: 'unusable', reason: 'too small' };
      };
      expect(await render()).toEqual({ outcome: 'unusable', reason: 'too small' });
      expect(seen).toEqual(job);
    });

    it('does not try again after the deadline', async () => {
      refusals.push(429, 429, 429);
      // An hour, which only the deadline ends.
      const waiting: Clock = { ...clock, sleep: (_, signal) => systemClock.sleep(3_600_000, signal) };
      const answer = createInvokeRenderer(client, 'renderer', waiting).render(job, 1_000_200);
      await expect(answer).rejects.toThrow('did not answer by the deadline');
      expect(invocations).toBeLessThanOrEqual(1);
    });

    it('fails with the text of a function that failed', async () => {
      handler = async () => {
        throw new TypeError('no such format');
      };
      await expect(render()).rejects.toThrow(/Unhandled.*TypeError.*no such format/);
      expect(invocations).toBe(1);
    });

    it('does not wait beyond the deadline', async () => {
      handler = () => new Promise(() => {});
      await expect(render(1_000_050)).rejects.toThrow('did not answer by the deadline');
    });

    it.each([0, 1_000])('invokes nothing when the deadline has passed %d ms ago', async (agoMs) => {
      await expect(render(1_000_000 - agoMs)).rejects.toThrow('did not answer by the deadline');
      expect(invocations).toBe(0);
    });

    it('tries again when Lambda had no free instance, three times at most', async () => {
      refusals = [429, 429];
      expect(await render()).toEqual({ outcome: 'stored' });
      expect(pauses).toEqual([150, 300]);
      refusals = [429, 429, 429, 429];
      await expect(render()).rejects.toThrow('has no free instance');
      expect(invocations).toBe(6);
    });

    it('is reached by any number of requests at once', async () => {
      let begin = (): void => undefined;
      const all = new Promise<void>((resolve) => {
        begin = resolve;
      });
      handler = async () => {
        if (invocations === 60) begin();
        await all;
        return { outcome: 'stored' };
      };
      const outcomes = await Promise.all(Array.from({ length: 60 }, () => render()));
      expect(outcomes.every(({ outcome }) => outcome === 'stored')).toBe(true);
    });

    it('is busy where no connection to it is made in three attempts', async () => {
      let end = (): void => undefined;
      handler = () => new Promise((resolve) => (end = () => resolve({ outcome: 'stored' })));
      const requestHandler = { connectionTimeout: 20, httpAgent: { maxSockets: 1 } };
      const narrow = createInvokeRenderer(
        connectLambda({ ...reach(loopback), requestHandler }),
        'renderer',
        clock,
      );
      const first = narrow.render(job, 1_060_000);
      const refused = await narrow.render(job, 1_060_000).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(RendererBusy);
      expect(pauses).toEqual([150, 300]);
      end();
      expect(await first).toEqual({ outcome: 'stored' });
    });

    it('fails when the function does not exist', async () => {
      const renderer = createInvokeRenderer(client, 'toString', clock);
      await expect(renderer.render(job, 1_005_000)).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
    });
  });

  describe('an asynchronous invocation', () => {
    const handOverTo = {
      generator: () => createInvokeGeneratorQueue(client, 'renderer', clock).handOver(aGenerationJob),
      renderer: () => createInvokeBackground(client, 'renderer', clock).handOver(report),
    };

    it('returns before the work is done', async () => {
      let finish = () => {};
      const working = new Promise<void>((resolve) => {
        finish = resolve;
      });
      let done: unknown;
      handler = async (event) => {
        await working;
        done = event;
      };
      await createInvokeBackground(client, 'renderer', clock).handOver(report);
      expect(done).toBeUndefined();
      finish();
      await aws.drained();
      expect(done).toEqual(report);
    });

    it('is waited for at the end also where one that ran has begun it', async () => {
      const [first, second] = [createDeferred<void>(), createDeferred<void>()];
      const { handOver } = createInvokeBackground(client, 'renderer', clock);
      handler = async () => {
        handler = () => second.promise;
        await handOver(report);
        first.resolve();
      };
      await handOver(report);
      const drained = aws.drained();
      await first.promise;
      expect(await isSettled(drained)).toBe(false);
      second.resolve();
      await drained;
    });

    it('does not receive the failure, but the local service does', async () => {
      handler = async () => {
        throw new Error('later');
      };
      await createInvokeBackground(client, 'renderer', clock).handOver(report);
      await aws.drained();
      expect(failed).toMatchObject([{ message: 'later' }]);
    });

    it.each([
      ['the generator', () => handOverTo.generator()],
      ['the renderer', () => handOverTo.renderer()],
    ])('tries again when Lambda takes no events for %s, three times at most', async (_, handOver) => {
      refusals = [429, 429];
      await handOver();
      refusals = [429, 429, 429];
      await expect(handOver()).rejects.toMatchObject({ name: 'TooManyRequestsException' });
      expect(invocations).toBe(6);
    });

    it('fails otherwise with the error of Lambda itself', async () => {
      const queue = createInvokeGeneratorQueue(client, 'toString', clock);
      await expect(queue.handOver(aGenerationJob)).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
      expect(invocations).toBe(1);
    });
  });

  describe('the executions of the account', () => {
    const telemetry = createRecordedTelemetry();
    const time = createVirtualClock();
    const from = (of: object) => createUnreservedExecutions(of as never, { clock: time, telemetry });

    it('are those that no function has reserved, asked for once an hour', async () => {
      let asked = 0;
      const limits = { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 900 };
      const send = async () => ({ AccountLimit: asked++ === 0 ? limits : {} });
      const unreserved = from({ send });
      expect([await unreserved(), await unreserved()]).toEqual([900, 900]);
      await time.advance(3_600_000);
      // What cannot be read is what it was.
      expect([await unreserved(), asked]).toEqual([900, 2]);
    });

    it('are those of a new account where they were never read, and not asked for twice when Lambda refuses', async () => {
      refusals = [429];
      expect(await from(client)()).toBe(10);
      expect(invocations).toBe(1);
    });
  });
});
