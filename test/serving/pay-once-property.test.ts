/**
 * One charge for an image and day, whatever becomes of the calls to the table: requests of several processes
 * on one table in memory, by a virtual clock. Each broken variant of a write is found by a fixed seed.
 */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { DeadlineReached, deadlineAt } from '../../lambda/base/deadline';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { claimWaitMs, requestBudgetMs } from '../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { Answer } from '../../lambda/images/answer';
import { refund } from '../../lambda/quota/charge';
import type { ClaimServices } from '../../lambda/quota/claim';
import type { Payer } from '../../lambda/quota/payer';
import { servePaidOnce } from '../../lambda/serving/pay-once';
import { accountId } from '../fakes/branded';
import { createMemoryDynamoDb, databaseOf } from '../fakes/memory-dynamodb';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext, aServingContext } from '../fakes/request-context';
import { lostAnswer } from '../fakes/services';
import { anImage, request } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';

const caller: KeyedCaller = {
  kind: 'live',
  account: accountId('acc_1'),
  plan: 'free',
  keyId: 'sg_1',
  publishedAs: 'signer',
};

/** The fates of a call. */
const fates = [
  'none',
  'request lost',
  'answer lost',
  'copied',
  'throttled',
  'slow',
  'crash before',
  'crash after',
] as const;
type Fault = (typeof fates)[number];

interface Asked {
  readonly image: 0 | 1;
  readonly process: 0 | 1 | 2;
  readonly atMs: number;
  readonly isFound: boolean;
  readonly makesMs: number;
}

interface History {
  readonly asked: readonly Asked[];
  /** Units that the account has left. */
  readonly left: number;
  /** The fates of the calls, in the order in which they are sent; none after the last of them. */
  readonly faults: readonly Fault[];
}

/** The outcome of one request, as the test sees it. */
interface Outcome {
  readonly asked: Asked;
  readonly id: string;
  answer?: Answer;
  answeredMs?: number;
  isCrashed: boolean;
  /** One of its calls was answered by nothing, by a crash, or late. */
  isDisturbed: boolean;
  /** Units of the account that its calls took and gave back, as the table has them. */
  units: number;
  /** What its ride was counted as. */
  readonly counted: string[];
}

/** Changes a command on its way to the table, or its answer on the way back: a broken variant. */
interface Mutant {
  readonly command?: (input: Input) => Partial<Input>;
  readonly answer?: (input: Input, answer: unknown) => unknown;
  /** Whether a lost answer to this command passes for an answer. */
  readonly hidesLoss?: (input: Input) => boolean;
}
type Input = UpdateCommand['input'];

const isClaim = ({ UpdateExpression = '' }: Input) => UpdateExpression.startsWith('SET #by');
const isPaid = ({ UpdateExpression = '' }: Input) => UpdateExpression.startsWith('SET paid');
const isGiveUp = ({ UpdateExpression = '' }: Input) => UpdateExpression.startsWith('REMOVE #by');
const isGiveBack = ({ UpdateExpression = '' }: Input) => UpdateExpression === 'ADD used :minusOne';
const isRead = ({ UpdateExpression, Key }: Input) =>
  UpdateExpression === undefined && String(Key?.['pk']).startsWith('PAID#');

/** What the requests of a history share: the table, the clock, and three processes that may crash. */
function createWorld(faults: readonly Fault[], mutant: Mutant) {
  const clock = createVirtualClock(Date.UTC(2026, 10, 21, 12));
  return {
    mutant,
    clock,
    startMs: clock.nowMs(),
    memory: createMemoryDynamoDb(),
    pending: [...faults],
    late: [] as Promise<void>[],
    crashed: new Set<number>(),
    refusals: [0, 1, 2].map(() => createExpiringCache<true>(100)),
    paidToday: [0, 1, 2].map(() => createExpiringCache<true>(100)),
  };
}
type World = ReturnType<typeof createWorld>;

/** The services of one request, whose calls meet the next fates of the history. */
function servicesOf(world: World, outcome: Outcome): ClaimServices {
  const { mutant, clock, memory, pending, late, crashed, refusals, paidToday } = world;
  const { process } = outcome.asked;
  const apply = (command: unknown): unknown => {
    const { input } = command as UpdateCommand;
    const isCounter = String(input.Key?.['pk']).startsWith('requests#live#');
    const changed = mutant.command?.(input);
    const sent = changed ? new UpdateCommand({ ...input, ...changed }) : command;
    const answer = memory.apply(sent);
    if (isCounter && input.UpdateExpression !== undefined) outcome.units += isGiveBack(input) ? -1 : 1;
    return mutant.answer ? mutant.answer(input, answer) : answer;
  };
  const lost = async (input: Input) => {
    await clock.sleep(50);
    if (mutant.hidesLoss?.(input)) return {};
    throw lostAnswer();
  };
  const die = () => {
    crashed.add(process);
    outcome.isCrashed = true;
    throw new Error('This process has crashed');
  };
  const send = async (command: unknown): Promise<unknown> => {
    if (crashed.has(process)) return die();
    const fault = pending.shift() ?? 'none';
    if (fault !== 'none') outcome.isDisturbed = true;
    const { input } = command as UpdateCommand;
    await clock.sleep(fault === 'slow' ? 3_000 : 5);
    switch (fault) {
      case 'request lost':
        return lost(input);
      case 'answer lost':
        apply(command);
        return lost(input);
      case 'throttled':
        throw new DeadlineReached('throttled');
      case 'crash before':
        return die();
      case 'crash after':
        apply(command);
        return die();
      case 'copied': {
        const answer = apply(command);
        // The transport sends no addition twice, and the condition of a copy may hold no more.
        if (!(input.UpdateExpression ?? 'ADD').startsWith('ADD'))
          late.push(
            clock
              .sleep(2_000)
              .then(() => void apply(command))
              .catch(() => undefined),
          );
        return answer;
      }
      default:
        return apply(command);
    }
  };
  return {
    database: databaseOf(send),
    clock,
    random: () => 0,
    deadline: deadlineAt(clock.nowMs() + requestBudgetMs),
    tables: memory.tableNames,
    refusals: refusals[process] as ClaimServices['refusals'],
    paidToday: paidToday[process] as ClaimServices['paidToday'],
    telemetry: {
      ...createRecordedTelemetry(),
      count: (...[metric, dimensions]) => {
        if (metric === 'paidImages') outcome.counted.push((dimensions as { outcome: string }).outcome);
      },
    },
  };
}

/** Sends one request when its time has come; its process may have crashed before. */
async function answerIn(world: World, outcome: Outcome, left: number): Promise<void> {
  const { clock, startMs, crashed } = world;
  const { image, atMs, isFound, makesMs, process } = outcome.asked;
  await clock.sleep(atMs);
  if (crashed.has(process)) {
    outcome.isCrashed = true;
    return;
  }
  const services = servicesOf(world, outcome);
  const nowMs = clock.nowMs();
  const [limit] = aContext(caller, nowMs).requestLimits;
  const context = aServingContext(services, caller, nowMs, {
    requestId: outcome.id,
    requestLimits: [{ ...limit, max: left }],
    deadlineMs: nowMs + requestBudgetMs,
  });
  const serve = async (payer: Payer): Promise<Answer> => {
    const charged = await payer.charge();
    if (charged.outcome === 'refused') return charged;
    const { payment } = charged;
    await clock.sleep(makesMs);
    if (isFound) return { outcome: 'served', image: anImage, cache: 'HIT', payment };
    const refunded = await refund(services, payment);
    return { outcome: 'refused', refusal: { code: 'no_image_found' }, payment: refunded };
  };
  const served = servePaidOnce(services, caller, request(`lake ${image}`), context, serve);
  const answer = await served.catch(
    (): Answer => ({ outcome: 'refused', refusal: { code: 'internal_error' } }),
  );
  if (crashed.has(process)) outcome.isCrashed = true;
  else Object.assign(outcome, { answer, answeredMs: clock.nowMs() - startMs - atMs });
}

async function play({ asked, left, faults }: History, mutant: Mutant = {}): Promise<readonly Outcome[]> {
  const world = createWorld(faults, mutant);
  const outcomes = asked.map(
    (each, i): Outcome => ({
      asked: each,
      id: `r${i}`,
      isCrashed: false,
      isDisturbed: false,
      units: 0,
      counted: [],
    }),
  );
  const { clock, late } = world;
  await clock.settle(Promise.all(outcomes.map((outcome) => answerIn(world, outcome, left))));
  await clock.settle(Promise.all(late));
  return outcomes;
}

/** Says what is wrong with a history, by the promise that it breaks. */
function judge({ left }: History, outcomes: readonly Outcome[]): readonly string[] {
  const wrong: string[] = [];
  const isQuiet = outcomes.every(({ isCrashed, isDisturbed }) => !isCrashed && !isDisturbed);
  const total = outcomes.reduce((sum, { units }) => sum + units, 0);
  if (total > left) wrong.push('no counter passes its limit');
  for (const image of [0, 1]) {
    const own = outcomes.filter(({ asked }) => asked.image === image);
    const charged = own.filter(({ units }) => units > 0);
    // A crash, or a refund of which nothing is known, errs in the caller's favour on the next request alone.
    if (charged.length > 1) wrong.push('an image and day is charged at most once');
    const isShown = own.some(({ answer }) => answer?.outcome === 'served');
    const mayRide = own.some(
      ({ counted, isCrashed, isDisturbed }) => isCrashed || isDisturbed || counted.includes('unknown'),
    );
    if (isShown && charged.length === 0 && !mayRide && !own.some(wasRefunded))
      wrong.push('nobody rides on a claim that was never charged');
  }
  for (const { answer, units, isCrashed, isDisturbed, answeredMs = 0, counted } of outcomes) {
    if (isCrashed) continue;
    if (!answer) wrong.push('every request that did not crash is answered');
    if (answeredMs > 25_000) wrong.push('every request is answered by 25 s');
    if (units < 0 || units > 1)
      wrong.push('a request takes a unit at most once and gives it back at most once');
    if (answer?.outcome === 'refused' && units > 0 && !isDisturbed)
      wrong.push('without an image nothing is paid');
    if (counted.includes('unknown') && answeredMs < claimWaitMs / 2 && !isDisturbed)
      wrong.push('nobody rides on a claim before its owner had its time');
  }
  if (isQuiet && outcomes.some(({ counted }) => counted.includes('unknown')))
    wrong.push('nobody waits in vain for a request that goes on');
  if (isQuiet && left === 0 && outcomes.some(({ answer }) => answer?.outcome === 'served'))
    wrong.push('a used-up account gets nothing free');
  return wrong;
}

const wasRefunded = ({ answer }: Outcome) => answer?.payment?.state === 'refunded';

const faults = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Fault>('none') },
  { weight: 8, arbitrary: fc.constantFrom(...fates) },
);
const histories: fc.Arbitrary<History> = fc.record({
  asked: fc.array(
    fc.record({
      image: fc.constantFrom<0 | 1>(0, 0, 1),
      process: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
      atMs: fc.constantFrom(0, 0, 1, 7, 20, 60, 300, 4_000, 12_000),
      isFound: fc.boolean(),
      makesMs: fc.constantFrom(0, 3, 100, 9_000),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  left: fc.constantFrom(0, 1, 1, 2, 10),
  faults: fc.oneof(fc.constant([]), fc.array(faults, { maxLength: 24 })),
});

const holds = (mutant?: Mutant) =>
  fc.asyncProperty(histories, async (history) => {
    const outcomes = await play(history, mutant);
    expect(judge(history, outcomes)).toEqual([]);
  });

describe('paying once', () => {
  test('charges an image at most once a day, is free only after a charge, and refunds what was not served', async () => {
    await fc.assert(holds(), { numRuns: Number(process.env['FC_NUM_RUNS'] ?? 500) });
  });

  /** Requests for one image, each in a process of its own. */
  const historyOf = (atMs: readonly number[], of: Partial<History> = {}, isFound = true): History => ({
    left: 10,
    faults: [],
    ...of,
    asked: atMs.map((at, i) => ({
      image: 0,
      process: (i % 3) as Asked['process'],
      atMs: at,
      isFound: isFound || i > 0,
      makesMs: 0,
    })),
  });

  /** The calls of a request that finds no image: read, claim, charge, paid, give back, give up. */
  const [givesBack, givesUp] = [4, 5];
  const faultAt = (call: number, fault: Fault): readonly Fault[] => [
    ...Array<Fault>(call).fill('none'),
    fault,
  ];

  test.each<[variant: string, promise: string, Mutant, History]>([
    [
      'a claim without its condition',
      'an image and day is charged at most once',
      { command: (input) => (isClaim(input) ? { ConditionExpression: undefined } : {}) },
      historyOf([0, 1]),
    ],
    [
      'a claim on which others ride before it is paid',
      'a used-up account gets nothing free',
      {
        answer: (input, answer) => {
          const { Item } = answer as { readonly Item?: object };
          return isRead(input) && Item && 'by' in Item ? { Item: { ...Item, paid: true } } : answer;
        },
      },
      historyOf([0, 7], { left: 0 }),
    ],
    [
      'a mark that says paid before the charge',
      'a used-up account gets nothing free',
      {
        command: ({ UpdateExpression, ExpressionAttributeValues, ...input }) =>
          isClaim({ UpdateExpression, ...input })
            ? {
                UpdateExpression: `${UpdateExpression}, paid = :yes`,
                ExpressionAttributeValues: { ...ExpressionAttributeValues, ':yes': true },
              }
            : {},
      },
      historyOf([0, 7], { left: 0 }),
    ],
    [
      'a mark that never says paid',
      'nobody waits in vain for a request that goes on',
      {
        command: (input) =>
          isPaid(input) ? { UpdateExpression: 'REMOVE paid', ...withoutValue(input, ':yes') } : {},
      },
      historyOf([0, 7]),
    ],
    [
      'a claim given up though it is not known whether the unit is back',
      'an image and day is charged at most once',
      { hidesLoss: isGiveBack },
      historyOf([0, 300], { faults: faultAt(givesBack, 'request lost') }, false),
    ],
    [
      'a claim given up by who does not hold it',
      'an image and day is charged at most once',
      {
        command: (input) =>
          isGiveUp(input) ? { ConditionExpression: undefined, ...withoutValue(input, ':by') } : {},
      },
      historyOf([0, 300, 4_000], { faults: faultAt(givesUp, 'copied') }, false),
    ],
  ])('is broken by %s: %s', async (_, promise, mutant, history) => {
    expect(judge(history, await play(history))).toEqual([]);
    expect(judge(history, await play(history, mutant))).toContain(promise);
  });

  /** A command that gives no value which its expressions do not use. */
  function withoutValue({ ExpressionAttributeValues = {} }: Input, name: string): Partial<Input> {
    const { [name]: _, ...values } = ExpressionAttributeValues;
    return { ExpressionAttributeValues: Object.keys(values).length > 0 ? values : undefined };
  }
});
