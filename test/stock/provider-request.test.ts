/** One request to a provider or a few: how many, how long, and whom a failure is blamed on. */

import { hourWindow } from '../../lambda/base/window';
import type { SpentBudget } from '../../lambda/stock/budget';
import type { Circuit } from '../../lambda/stock/circuit';
import { createSendRequest, type ProviderCall } from '../../lambda/stock/provider-request';
import { type FailureKind, ProviderFailure } from '../../lambda/stock/stock-provider';
import { understand } from '../../lambda/stock/understand';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { createFakeStockProvider } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';

const window = hourWindow(0);
const status = { limit: 1, remaining: 0, window };
const spent = (of: SpentBudget['of']): SpentBudget => ({ of, status });
const failure = (kind: FailureKind) => new ProviderFailure(kind, 'No.');

interface Given {
  readonly requestsMax?: number;
  readonly withinMs?: number;
  /** What the n-th request is told by the budget. */
  readonly budget?: readonly (SpentBudget | undefined)[];
  readonly permission?: Awaited<ReturnType<Circuit['permit']>>;
  readonly chargeSearch?: typeof aSearchCaller.chargeSearch;
}

async function sent<T>(call: ProviderCall<T>, given: Given = {}) {
  const { requestsMax = 3, withinMs = 10_000, budget = [], permission = { state: 'closed' } } = given;
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const told: string[] = [];
  const left = [...budget];
  const takers: unknown[] = [];
  const send = createSendRequest({
    circuit: {
      permit: async () => permission,
      succeeded: async () => void told.push('succeeded'),
      failed: async (_, __, { kind }) => void told.push(`failed: ${kind}`),
      undecided: async () => void told.push('undecided'),
    },
    budget: {
      take: async ({ name }, share, owner) => {
        takers.push([name, share, owner]);
        return left.shift();
      },
    },
    clock,
    telemetry,
  });
  const search = {
    provider: createFakeStockProvider('alpha'),
    request: request('lake'),
    subject: understand('lake'),
    format: 'jpeg',
    deadlineMs: clock.nowMs() + withinMs,
    caller: { ...aSearchCaller, chargeSearch: given.chargeSearch ?? aSearchCaller.chargeSearch },
    requestsMax,
  } as const;
  const beganMs = clock.nowMs();
  const reply = await clock.settle(send(search, requestsMax, call));
  const kinds = telemetry.counts.map(({ metric, dimensions }) => `${metric} ${dimensions?.['kind']}`);
  return { reply, told, kinds, takers, tookMs: clock.nowMs() - beganMs, telemetry };
}

/** A call whose attempts end one after the other in these: an answer, or what is thrown. */
function attempts(...ends: readonly unknown[]): ProviderCall<unknown> {
  const left = [...ends];
  return async () => {
    const end = left.shift();
    if (end instanceof Error) throw end;
    return end;
  };
}

it('answers, says how many requests that took, and takes each from the share of its account', async () => {
  const { reply, told, kinds, takers } = await sent(attempts('yes'));
  expect(takers).toEqual([['alpha', aSearchCaller.share, aSearchCaller.owner]]);
  expect(reply).toEqual({ outcome: 'answered', answer: 'yes', requestsSent: 1 });
  expect([told, kinds]).toEqual([['succeeded'], []]);
});

it('is sent nothing without a request left, without a charge and while the circuit is open', async () => {
  const refusal = { code: 'rate_limited', use: 'searches', rateLimit: status } as const;
  const never = () => Promise.reject(new Error('It was called.'));
  const none = { outcome: 'failed', requestsSent: 0 };
  expect((await sent(never, { requestsMax: 0, chargeSearch: never })).reply).toEqual(none);
  expect((await sent(never, { chargeSearch: async () => refusal })).reply).toEqual({ ...none, refusal });
  const open = await sent(never, { permission: { state: 'open', untilMs: 5 } });
  expect([open.reply, open.told]).toEqual([{ ...none, retryAtMs: 5 }, []]);
});

it.each<[FailureKind, object, string]>([
  ['unavailable', { outcome: 'failed', requestsSent: 2 }, 'failed: unavailable'],
  ['throttled', { outcome: 'failed', requestsSent: 1 }, 'failed: throttled'],
  ['unauthorized', { outcome: 'failed', requestsSent: 1 }, 'failed: unauthorized'],
  ['malformed', { outcome: 'failed', requestsSent: 1 }, 'failed: malformed'],
  ['rejected', { outcome: 'rejected', requestsSent: 1 }, 'succeeded'],
])('that is %s ends in %j', async (kind, expected, circuit) => {
  const { reply, told, kinds, telemetry } = await sent(attempts(failure(kind), failure(kind)));
  expect(reply).toEqual(expected);
  expect(told).toEqual([circuit]);
  expect(new Set(kinds)).toEqual(new Set([`providerFailures ${kind}`]));
  expect(telemetry.errors[0]).toMatchObject({ error: { kind }, fields: { provider: 'alpha', kind } });
});

it('is repeated once after a pause, where requests and time are left for it', async () => {
  const twice = () => attempts(failure('unavailable'), 'yes');
  const { reply, tookMs } = await sent(twice());
  expect([reply, tookMs]).toEqual([{ outcome: 'answered', answer: 'yes', requestsSent: 2 }, 150]);
  expect(await sent(twice(), { requestsMax: 1 })).toMatchObject({
    reply: { outcome: 'failed', requestsSent: 1 },
    tookMs: 0,
  });
  expect((await sent(twice(), { withinMs: 150 })).reply).toMatchObject({ outcome: 'failed' });
  expect((await sent(twice(), { withinMs: 151 })).reply).toMatchObject({ outcome: 'answered' });
});

it('may send more requests itself, up to its share', async () => {
  const granted: boolean[] = [];
  const greedy: ProviderCall<string> = async (_, takeRequest) => {
    for (let i = 0; i < 3; i++) granted.push(await takeRequest());
    return 'yes';
  };
  expect((await sent(greedy)).reply).toMatchObject({ requestsSent: 3 });
  expect(granted).toEqual([true, true, false]);
});

it('that takes too long is ended after two and a half seconds, and no later than the search', async () => {
  const ended: unknown[] = [];
  const silent: ProviderCall<string> = (signal) =>
    new Promise(() => signal.addEventListener('abort', () => ended.push(signal.reason)));
  expect(await sent(silent)).toMatchObject({ told: ['failed: unavailable'], tookMs: 5_150 });
  expect(ended).toHaveLength(2);
  // The caller's own time was up, which says nothing about the provider.
  expect(await sent(silent, { withinMs: 1_000 })).toMatchObject({ told: ['undecided'], tookMs: 1_000 });
  expect(ended).toHaveLength(3);
});

it.each([
  ['the account', 'account', { refusal: { code: 'rate_limited', rateLimit: status, use: 'provider-share' } }],
  ['callers without keys', 'anonymous', { retryAtMs: window.endMs, isAnonymousSpent: true }],
  ['everyone', 'all', { retryAtMs: window.endMs }],
] as const)('says when the budget of %s is used up, and blames nobody', async (_, of, said) => {
  const { reply, told, kinds } = await sent(attempts('yes'), { budget: [spent(of)] });
  expect(reply).toEqual({ outcome: 'failed', requestsSent: 0, ...said });
  expect([told, kinds]).toEqual([['undecided'], ['providerFailures budget']]);
});

it.each([
  ['an error', new TypeError('x'), 'TypeError: x'],
  ['something else', undefined, 'not an error'],
])('counts an adapter that throws %s as one whose answer cannot be read', async (_, thrown, reason) => {
  const { told, telemetry } = await sent(() => Promise.reject(thrown));
  expect(told).toEqual(['failed: malformed']);
  expect(String(telemetry.errors[0]?.error)).toContain(`(${reason})`);
});
