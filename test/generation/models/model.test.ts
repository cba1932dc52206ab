/** How often and how long a model is asked, and which failures may have been billed. */

import { type Model, ModelFailure, type ModelReply } from '../../../lambda/generation/models/model';
import { makeJpeg } from '../../fakes/images';
import { drawWith } from './drawing';

let image: Uint8Array;
beforeAll(async () => {
  image = await makeJpeg(64, 36);
});

/** A model that replies in turn, and with an image afterwards. */
function createModel(replies: readonly (ModelReply | Error | 'hangs')[] = []) {
  const repliesToCome = [...replies];
  const signals: AbortSignal[] = [];
  const model: Model = {
    name: 'a model',
    kind: 'sandbox',
    startsFromImages: false,
    async ask(_, signal) {
      signals.push(signal);
      const reply = repliesToCome.shift() ?? { image };
      if (reply instanceof Error) throw reply;
      if (reply !== 'hangs') return reply;
      return new Promise((__, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  };
  return { model, signals };
}
const makeError = (status: number, code = '', details: object = {}): ModelReply => ({
  status,
  code,
  ...details,
});

test.each([424, 429, 500, 503, 529])(
  'after status %i a model is asked three times at most',
  async (status) => {
    const recovering = createModel([makeError(status), makeError(status)]);
    expect(await drawWith(recovering.model)).toEqual({ outcome: 'image', image, pauses: [500, 1_000] });
    const out = createModel(Array(5).fill(makeError(status)));
    expect([(await drawWith(out.model)).outcome, out.signals.length]).toEqual(['passing', 3]);
  },
);

const makeFetchError = (code: string) => Object.assign(new TypeError('fetch failed'), { cause: { code } });
const smithyTimeout = Object.assign(
  new Error('@smithy/node-http-handler - the request socket did not establish a connection with the server'),
  { name: 'TimeoutError' },
);
test.each<[string, number, ModelReply | Error, string]>([
  ['400', 1, makeError(400), 'final'],
  ['402', 1, makeError(402), 'final'],
  ['403', 1, makeError(403), 'final'],
  ['408, which may have been billed', 1, makeError(408), 'unknown'],
  ['502, which may have been billed', 1, makeError(502), 'unknown'],
  ['504, which may have been billed', 1, makeError(504), 'unknown'],
  ['524, which may have been billed', 1, makeError(524), 'unknown'],
  ['an error that the adapter explains', 1, makeError(500, 'special', { kind: 'unknown' }), 'unknown'],
  ['a refusal', 1, { refused: 'filter' }, 'refused'],
  ['a Retry-After of a minute', 1, makeError(429, '', { retryAfterMs: 60_000 }), 'passing'],
  ['a connection that was never made', 3, makeFetchError('ECONNREFUSED'), 'passing'],
  ['a connection that timed out', 3, makeFetchError('UND_ERR_CONNECT_TIMEOUT'), 'passing'],
  ['a connection that timed out in AWS’s SDK', 3, smithyTimeout, 'passing'],
  ['a connection that broke', 1, new Error('socket hang up'), 'unknown'],
  ['a failure that the adapter reports', 1, new ModelFailure('final', 'no key'), 'final'],
])('after %s a model is asked %i times at most', async (_, times, reply, meaning) => {
  const { model, signals } = createModel(Array(5).fill(reply));
  expect([(await drawWith(model)).outcome, signals.length]).toEqual([meaning, times]);
});

test('a model is asked again after a short Retry-After', async () => {
  const { model } = createModel([makeError(429, '', { retryAfterMs: 3_000 })]);
  expect(await drawWith(model)).toMatchObject({ outcome: 'image', pauses: [3_000] });
});

test('a request that is aborted at its deadline may have been billed', async () => {
  const { model, signals } = createModel(['hangs']);
  expect((await drawWith(model, {}, 50)).outcome).toBe('unknown');
  expect([signals.length, signals[0]?.aborted]).toEqual([1, true]);
});
