/** How often a model is asked, for how long, and what is billed then, whichever it is. */

import { readGeneratorSettings } from '../../../lambda/contract/generators';
import { type Model, ModelFailure, type Reply } from '../../../lambda/generation/models/model';
import { createModelFor } from '../../../lambda/generation/models/models';
import * as codec from '../../../lambda/images/sharp/sharp-codec';
import { aGenerationJob } from '../../fakes/ai';
import { imageKey } from '../../fakes/branded';
import { jpeg } from '../../fakes/images';
import { createVirtualClock } from '../../fakes/virtual-clock';
import { drawnBy, none } from './drawing';

let image: Uint8Array;
beforeAll(async () => {
  image = await jpeg(64, 36);
});

/** Answers in turn, and with an image from then on. */
function modelWith(replies: readonly (Reply | Error | 'hangs')[] = [], change: Partial<Model> = {}) {
  const left = [...replies];
  const asked: AbortSignal[] = [];
  const model: Model = {
    name: 'a model',
    kind: 'sandbox',
    startsFromImages: false,
    timeoutMs: 20_000,
    errors: { special: 'unknown', blocked: 'refused' },
    async ask(_, signal) {
      asked.push(signal);
      const reply = left.shift() ?? { image };
      if (reply instanceof Error) throw reply;
      if (reply !== 'hangs') return reply;
      return new Promise((__, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    ...change,
  };
  return { model, asked };
}
const error = (status: number, code = '', rest: object = {}): Reply => ({ status, code, ...rest });

test('an image comes with its size and its extension, and the time that it took is measured', async () => {
  const { drawing, times, failure } = await drawnBy(modelWith().model);
  expect(drawing).toEqual({
    outcome: 'image',
    image: { bytes: image, mediaType: 'image/jpeg' },
    size: { widthPx: 64, heightPx: 36 },
    model: 'a model',
    extension: 'jpg',
  });
  expect([failure, times]).toEqual([undefined, [['generatorLatency', 0, { generator: 'sandbox' }]]]);
});

test.each([424, 429, 500, 503, 529])(
  'after %i, which comes before the work, it is asked three times at most, with pauses between',
  async (status) => {
    const recovering = modelWith([error(status), error(status)]);
    expect(await drawnBy(recovering.model)).toMatchObject({
      drawing: { outcome: 'image' },
      pauses: [500, 1_000],
    });
    const out = modelWith(Array(5).fill(error(status)));
    const { drawing, failure } = await drawnBy(out.model);
    expect([drawing, out.asked.length]).toEqual([none.passing, 3]);
    expect(failure?.fields).toEqual({ generator: 'sandbox', kind: 'passing' });
  },
);

const unconnected = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
test.each<[string, Reply | Error, number, keyof typeof none]>([
  ['400', error(400), 1, 'final'],
  ['402', error(402), 1, 'final'],
  ['403', error(403), 1, 'final'],
  ['408, which may have been billed', error(408), 1, 'unknown'],
  ['502, which may have been billed', error(502), 1, 'unknown'],
  ['504, which may have been billed', error(504), 1, 'unknown'],
  ['a code of its own', error(500, 'special'), 1, 'unknown'],
  ['a code that is a refusal', error(400, 'blocked'), 1, 'refused'],
  ['a refusal', { refused: 'filter' }, 1, 'refused'],
  ['a longer Retry-After than it waits for', error(429, '', { retryAfterMs: 60_000 }), 1, 'passing'],
  ['a connection that was never made', unconnected, 3, 'passing'],
  ['a connection that broke', new Error('socket hang up'), 1, 'unknown'],
  ['a failure of its own', new ModelFailure('final', 'no key'), 1, 'final'],
  ['what is no image', { image: Buffer.from('<svg/>') }, 1, 'unknown'],
  ['an image of a kind that is not stored', { image: Buffer.from('GIF89a') }, 1, 'unknown'],
])('after %s it is asked no more than %#', async (_, reply, times, meaning) => {
  const { model, asked } = modelWith(Array(5).fill(reply));
  const { drawing, failure } = await drawnBy(model);
  expect([drawing, asked.length]).toEqual([none[meaning], times]);
  expect(failure?.fields?.['kind']).toBe(meaning === 'refused' ? undefined : meaning);
});

test('a short Retry-After is waited for', async () => {
  const { model } = modelWith([error(429, '', { retryAfterMs: 3_000 })]);
  expect(await drawnBy(model)).toMatchObject({ drawing: { outcome: 'image' }, pauses: [3_000] });
});

test('an image that no rendition can be made of is none', async () => {
  const measure = async () => ({ outcome: 'unusable', reason: 'moving' }) as const;
  const { drawing, failure } = await drawnBy(modelWith().model, {}, { measure });
  expect([drawing, String(failure?.error)]).toEqual([none.unknown, 'ModelFailure: a model: moving']);
});

test.each([
  ['its own', { timeMs: 30_000 }, { timeoutMs: 50 }, /a model did not answer in time/],
  ['that of the function', { timeMs: 50 }, {}, /not done in time|did not answer in time/],
])('it ends when %s time is over, and may have been billed', async (_, time, change, message) => {
  const { model, asked } = modelWith(['hangs'], change);
  const { drawing, failure } = await drawnBy(model, {}, time);
  expect([drawing, asked.length, asked[0]?.aborted]).toEqual([none.unknown, 1, true]);
  expect(String(failure?.error)).toMatch(message);
});

test('the image of a test key is drawn by a sandbox as it comes, that of a live key by what is configured, each made once', async () => {
  const modelFor = createModelFor(
    readGeneratorSettings({ kind: 'sandbox', refuse: ['lake'], longSidePx: 256 }),
    {
      codec,
      clock: createVirtualClock(),
      fetchOriginal: () => Promise.reject(new Error('not asked')),
      readKey: async () => undefined,
    },
  );
  const ofTests = imageKey(aGenerationJob.key.replace('live', 'test'));
  const [live, test] = [await modelFor(aGenerationJob.key), await modelFor(ofTests)];
  expect([await modelFor(aGenerationJob.key), await modelFor(ofTests)]).toEqual([live, test]);
  expect((await drawnBy(live)).drawing).toEqual(none.refused);
  expect((await drawnBy(test)).drawing).toMatchObject({ outcome: 'image' });
});
