/** Calls of `lambda.ts`, `secrets.ts` and `s3-store.ts`: each ends after its own time. */

import {
  connectLambda,
  invokeFunction,
  invokeLater,
  readUnreservedExecutions,
} from '../../lambda/aws/lambda';
import { createSecretReader } from '../../lambda/aws/secrets/secrets';
import { systemClock } from '../../lambda/base/clock';
import { createDeadline, createSignal } from '../../lambda/base/deadline';
import { awsTimes, imageStoreTimeoutsMs, lambdaTimes } from '../../lambda/contract/timeouts';
import { openS3Store } from '../../lambda/images/stores/s3-store';
import { reachAwsAt } from '../fakes/aws-environment';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { makeStoredPath } from '../fakes/values';

let silent: Loopback;
let leaveAws: () => void;
let markArrived: () => void;

beforeAll(async () => {
  silent = await listenOnLoopback(() => markArrived());
  leaveAws = reachAwsAt(silent.address, 'us-east-1');
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  leaveAws();
  await silent.stop();
});

const path = makeStoredPath('stock/a.webp');
/** A request that has all the time there is. */
const unlimited = { clock: systemClock, deadline: createDeadline(Infinity) };
const use = { kind: 'report-use', provider: 'unsplash', url: 'https://api.example/use' } as const;

test.each<[string, number, () => Promise<unknown>]>([
  ['a secret', awsTimes.secretMs, () => createSecretReader(systemClock)('s', unlimited.deadline)],
  ['the account', lambdaTimes.accountSettingsMs, () => readUnreservedExecutions(unlimited, connectLambda())],
  ['work for later', lambdaTimes.invokeLaterMs, () => invokeLater(unlimited, connectLambda(), 'f', use)],
  ['an image to put', imageStoreTimeoutsMs.put, () => openS3Store('b').put(path, new Uint8Array(1))],
  ['an image to get', imageStoreTimeoutsMs.get, () => openS3Store('b').get(path)],
  ['an image to remove', imageStoreTimeoutsMs.remove, () => openS3Store('b').remove(path)],
  [
    'images to list',
    imageStoreTimeoutsMs.list,
    () => openS3Store('b').list('stock/')[Symbol.asyncIterator]().next(),
  ],
])('each call of %s may take %d ms', async (_, timeoutMs, call) => {
  const end = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(end.signal);
  const arrival = new Promise<void>((resolve) => {
    markArrived = resolve;
  });
  const failed = expect(call()).rejects.toThrow();
  await arrival;
  expect(timeout.mock.calls).toEqual([[timeoutMs]]);
  end.abort();
  await failed;
});

test('a bucket that does not answer is asked three times', async () => {
  const { setTimeout } = globalThis;
  let begun = 0;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms?: number) => {
    if (ms !== imageStoreTimeoutsMs.attempt) return setTimeout(act, ms);
    begun += 1;
    return setTimeout(act, 0);
  }) as typeof setTimeout);
  await expect(openS3Store('b').get(path)).rejects.toMatchObject({ cause: { name: 'TimeoutError' } });
  expect(begun).toBe(3);
});

test.each<[string, (services: typeof unlimited) => Promise<unknown>]>([
  ['a secret', ({ deadline }) => createSecretReader(systemClock)('s', deadline)],
  ['work for later', (services) => invokeLater(services, connectLambda(), 'f', use)],
  ['an image', (services) => openS3Store('b').get(path, createSignal(services, 60_000))],
  ['a function', (services) => invokeFunction(services, connectLambda(), 'f', use)],
])(
  'a call of %s ends with the time of the request',
  async (_, call) => {
    markArrived = () => undefined;
    const { timeout } = AbortSignal;
    // A time of its own never ends here, so that the request's alone can.
    const never = new AbortController().signal;
    jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms <= 50 ? timeout.call(AbortSignal, ms) : never));
    await expect(call({ ...unlimited, deadline: createDeadline(Date.now() + 50) })).rejects.toThrow();
  },
  // S3's own end would come after 15 s.
  12_000,
);
