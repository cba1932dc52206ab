/**
 * One charge for an image and day, whatever becomes of the calls to the table: requests of several instances
 * in a world of faults. Each broken variant of a write is found by a fixed history.
 */

import fc from 'fast-check';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { claimWaitMs, closingReserveMs, requestBudgetMs } from '../../lambda/contract/timeouts';
import type { ImageOutcome } from '../../lambda/images/image-outcome';
import type { ClaimServices } from '../../lambda/quota/claim';
import type { Answer } from '../../lambda/serving/answer';
import { createWorld, type Fate, faults, type Mistake, type Process } from '../fakes/faulty-world';
import type { Input } from '../fakes/memory-database';
import { servePaidOnce, signer } from '../fakes/paid-once';
import { quiet } from '../fakes/telemetry';
import { aContext, anImage, noImage, request } from '../fakes/values';

interface Asked {
  readonly image: 0 | 1;
  readonly instance: 0 | 1 | 2;
  readonly atMs: number;
  readonly isFound: boolean;
  readonly makesMs: number;
}

interface History {
  readonly asked: readonly Asked[];
  /** Units that the account has left. */
  readonly unitsLeft: number;
  /** The fates of the calls, in the order in which they are sent, and then from the first again. */
  readonly fates: readonly Fate[];
}

/** The outcome of one request, as the test sees it. */
interface Outcome {
  readonly asked: Asked;
  readonly process: Process;
  answer?: Answer;
  answeredMs?: number;
  /** What its payment was counted as. */
  readonly counted: string[];
}

/** What the requests of an instance remember. */
const createInstance = () => ({
  refusals: createExpiringCache(100) as ClaimServices['refusals'],
  paidToday: createExpiringCache(100) as ClaimServices['paidToday'],
});

/** Plays a history, under a mistake of the code if one is given. @returns the promises that it breaks */
async function brokenPromises(history: History, mistake?: Mistake): Promise<readonly string[]> {
  /** Units that each request has taken and not given back, by the name of its process. */
  const units = new Map<string, number>();
  const world = createWorld(
    Date.UTC(2026, 10, 21, 12),
    history.fates,
    ({ by, pk, input }) => {
      if (!pk.startsWith('requests#live#')) return;
      units.set(by.name, (units.get(by.name) ?? 0) + (isGiveBack(input) ? -1 : 1));
    },
    mistake,
  );
  const instances = [createInstance(), createInstance(), createInstance()];
  const outcomes: Outcome[] = [];
  for (const [i, asked] of history.asked.entries())
    world.at(world.nowMs() + asked.atMs, () => {
      const { process, services } = world.begin(`r${i}`, {
        timeMs: requestBudgetMs,
        spareMs: closingReserveMs,
      });
      const outcome: Outcome = { asked, process, counted: [] };
      outcomes.push(outcome);
      const telemetry: ClaimServices['telemetry'] = {
        ...quiet,
        count: (...[metric, dimensions]) => {
          if (metric === 'paidImages') outcome.counted.push((dimensions as { outcome: string }).outcome);
        },
      };
      const given = { ...services, ...(instances[asked.instance] as ReturnType<typeof createInstance>) };
      void view({ ...given, telemetry }, outcome, history.unitsLeft);
    });
  await world.run();
  return judge(history, outcomes, ({ name }) => units.get(name) ?? 0);
}

/** One request for an image, and its answer. */
async function view(services: ClaimServices, outcome: Outcome, unitsLeft: number): Promise<void> {
  const { clock } = services;
  const { image, isFound, makesMs } = outcome.asked;
  const beganMs = clock.nowMs();
  const [limit] = aContext(signer, beganMs).requestLimits;
  const context = aContext(signer, beganMs, {
    requestId: outcome.process.name,
    requestLimits: [{ ...limit, max: unitsLeft }],
  });
  const find = async (): Promise<ImageOutcome> => {
    // Work ends with its request.
    await clock.sleep(Math.max(0, Math.min(makesMs, services.deadline.endsMs - clock.nowMs())));
    return isFound ? { outcome: 'served', image: anImage, cache: 'HIT' } : noImage;
  };
  outcome.answer = await servePaidOnce(services, request(`lake ${image}`), context, find).catch(
    (): Answer => ({ outcome: 'refused', refusal: { code: 'internal_error' } }),
  );
  outcome.answeredMs = clock.nowMs() - beganMs;
}

/** The promises that a history has broken. @param unitsOf units that a process has taken and not given back */
function judge(
  { unitsLeft }: History,
  outcomes: readonly Outcome[],
  unitsOf: (process: Process) => number,
): readonly string[] {
  const broken = outcomes.flatMap((outcome) => judgeRequest(outcome, unitsOf(outcome.process)));
  const total = outcomes.reduce((sum, { process }) => sum + unitsOf(process), 0);
  if (total > unitsLeft) broken.push('no counter passes its limit');
  for (const image of [0, 1]) {
    const ofImage = outcomes.filter(({ asked }) => asked.image === image);
    const charged = ofImage.filter(({ process }) => unitsOf(process) > 0);
    // A crash, or a refund of which nothing is known, errs in the signer's favour on the next request alone.
    if (charged.length > 1) broken.push('an image and day is charged at most once');
    const isShown = ofImage.some(({ answer }) => answer?.outcome === 'served');
    const mayBeFree = ofImage.some(
      ({ counted, process, answer }) =>
        process.isDisturbed || counted.includes('unknown') || answer?.payment?.state === 'refunded',
    );
    if (isShown && charged.length === 0 && !mayBeFree)
      broken.push('no view is free although nobody was charged');
  }
  if (outcomes.every(({ process }) => !process.isDisturbed)) {
    if (outcomes.some(({ counted }) => counted.includes('unknown')))
      broken.push('nobody waits in vain for a request that goes on');
    if (unitsLeft === 0 && outcomes.some(({ answer }) => answer?.outcome === 'served'))
      broken.push('a used-up account gets nothing free');
  }
  return broken;
}

function judgeRequest({ answer, answeredMs = Infinity, counted, process }: Outcome, units: number): string[] {
  if (process.isDead) return [];
  const promises: Readonly<Record<string, boolean>> = {
    // The last call of a request takes its least time, also when none is left.
    'every request that did not crash is answered by 25 s': answeredMs <= requestBudgetMs + 100,
    'a request takes a unit at most once and gives it back at most once': units === 0 || units === 1,
    'without an image nothing is paid': answer?.outcome === 'served' || units === 0 || process.isDisturbed,
    'no view is free before the holder of the claim had its time':
      !counted.includes('unknown') || answeredMs >= claimWaitMs / 2 || process.isDisturbed,
  };
  return Object.keys(promises).filter((promise) => !promises[promise]);
}

const isClaim = ({ UpdateExpression = '' }: Input) => UpdateExpression.startsWith('SET #by');
const isPaid = ({ UpdateExpression = '' }: Input) => UpdateExpression.startsWith('SET #paid');
const isGiveUp = ({ UpdateExpression = '' }: Input) => UpdateExpression.startsWith('REMOVE #by');
const isGiveBack = ({ UpdateExpression = '' }: Input) => UpdateExpression === 'ADD used :minusOne';
const isRead = ({ UpdateExpression, Key }: Input) =>
  UpdateExpression === undefined && String(Key?.['pk']).startsWith('PAID#');

const fate: fc.Arbitrary<Fate> = fc.record({
  fault: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 8, arbitrary: fc.constantFrom(...faults) },
  ),
  delay: fc.constantFrom(0, 0.01, 0.1, 0.9),
});
const histories: fc.Arbitrary<History> = fc.record({
  asked: fc.array(
    fc.record({
      image: fc.constantFrom<0 | 1>(0, 0, 1),
      instance: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
      atMs: fc.constantFrom(0, 0, 1, 7, 20, 60, 300, 4_000, 12_000),
      isFound: fc.boolean(),
      makesMs: fc.constantFrom(0, 3, 100, 9_000),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  unitsLeft: fc.constantFrom(0, 1, 1, 2, 10),
  fates: fc.oneof(fc.constant([{ delay: 0.1 }]), fc.array(fate, { minLength: 1, maxLength: 24 })),
});

describe('paying once', () => {
  test('with any faults, an image is charged once a day at most', async () => {
    const isKept = fc.asyncProperty(histories, async (history) =>
      expect(await brokenPromises(history)).toEqual([]),
    );
    await fc.assert(isKept, { numRuns: Number(process.env['FC_NUM_RUNS'] ?? 500) });
  });

  /** Requests for one image, each in an instance of its own. */
  const historyOf = (atMs: readonly number[], changes: Partial<History> = {}, isFound = true): History => ({
    unitsLeft: 10,
    fates: [{ delay: 0 }],
    ...changes,
    asked: atMs.map((at, i) => ({
      image: 0,
      instance: (i % 3) as Asked['instance'],
      atMs: at,
      isFound: isFound || i > 0,
      makesMs: 0,
    })),
  });

  /** The calls of a request that finds no image: read, claim, charge, paid, give back, give up. */
  const [givesBack, givesUp] = [4, 5];
  const fateAt = (call: number, fate: Fate): readonly Fate[] =>
    Array.from({ length: 100 }, (_, i) => (i === call ? fate : { delay: 0 }));

  test.each<[variant: string, promise: string, Mistake, History]>([
    [
      'a claim without its condition',
      'an image and day is charged at most once',
      { input: (input) => (isClaim(input) ? { ...input, ConditionExpression: undefined } : input) },
      historyOf([0, 1]),
    ],
    [
      'a claim that makes views free before it is paid',
      'a used-up account gets nothing free',
      {
        reads: (input, answer) => {
          const { Item } = answer as { readonly Item?: object };
          return isRead(input) && Item && 'by' in Item ? { Item: { ...Item, paid: true } } : answer;
        },
      },
      historyOf([0, 4], { unitsLeft: 0 }),
    ],
    [
      'a mark that says paid before the charge',
      'a used-up account gets nothing free',
      {
        input: (input) =>
          isClaim(input)
            ? {
                ...input,
                UpdateExpression: `${input.UpdateExpression}, paid = :yes`,
                ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ':yes': true },
              }
            : input,
      },
      historyOf([0, 4], { unitsLeft: 0 }),
    ],
    [
      'a mark that never says paid',
      'nobody waits in vain for a request that goes on',
      {
        input: (input) =>
          isPaid(input) ? { ...without(input, ':paid'), UpdateExpression: 'REMOVE #paid' } : input,
      },
      historyOf([0, 4]),
    ],
    [
      'a claim given up though it is not known whether the unit is back',
      'an image and day is charged at most once',
      { hidesLoss: isGiveBack },
      historyOf([0, 4_000], { fates: fateAt(givesBack, { fault: 'request lost', delay: 0 }) }, false),
    ],
    [
      'a claim given up by who does not hold it',
      'an image and day is charged at most once',
      {
        input: (input) =>
          isGiveUp(input) ? { ...without(input, ':by'), ConditionExpression: undefined } : input,
      },
      // A copy arrives ten seconds late, and meets the claim of the second request.
      historyOf([0, 4_000, 20_000], { fates: fateAt(givesUp, { fault: 'late', delay: 0.02 }) }, false),
    ],
  ])('paying once is broken by %s: %s', async (_, promise, mistake, history) => {
    expect(await brokenPromises(history)).toEqual([]);
    expect(await brokenPromises(history, mistake)).toContain(promise);
  });

  /** A command without a value, which its expressions do not use any more. */
  function without({ ExpressionAttributeValues = {}, ...input }: Input, name: string): Input {
    const { [name]: _, ...values } = ExpressionAttributeValues;
    return Object.keys(values).length > 0 ? { ...input, ExpressionAttributeValues: values } : input;
  }
});
