/** What the generator function accepts as a job. */

import { type GenerationJob, readGenerationJob } from '../../lambda/generation/generation-job';
import { imageKey, libraryPath } from '../fakes/branded';

const job: GenerationJob = {
  lease: { key: imageKey('G#live#acct#private#0f'), execution: '01JD', fence: 2 },
  order: { words: 'mountain lake', style: 'photo', bucket: '16:9', seed: 7 },
  charge: { quotaKey: 'Q#acct#2026-11', execution: '01JD', cost: 10, prunable: [] },
};
const { lease, order, charge } = job;

test.each<[string, GenerationJob]>([
  ['a charged one', job],
  ['a free one', { lease, order }],
  [
    'a public variation',
    {
      ...job,
      order: { ...order, variation: 3 },
      counted: ['month', 'day', 'share'],
      similarityKey: '1a',
      basePath: libraryPath('private/a.png'),
    },
  ],
])('takes %s as it was sent', (_, sent) => {
  expect(readGenerationJob(JSON.parse(JSON.stringify(sent)))).toEqual(sent);
});

test.each([
  ['nothing', undefined, 'event'],
  ['a job without a lease', { order }, 'lease'],
  ['a lease without its fence', { ...job, lease: { ...lease, fence: undefined } }, 'lease.fence'],
  ['a ratio that no generator draws', { ...job, order: { ...order, bucket: '3:1' } }, 'order.bucket'],
  ['an unknown style', { ...job, order: { ...order, style: 'oil' } }, 'order.style'],
  ['a broken seed', { ...job, order: { ...order, seed: 1.5 } }, 'order.seed'],
  ['a charge without its item', { ...job, charge: { ...charge, quotaKey: '' } }, 'charge.quotaKey'],
])('refuses %s and names the field', (_, sent, field) => {
  expect(() => readGenerationJob(sent)).toThrow(TypeError);
  expect(() => readGenerationJob(sent)).toThrow(`Not a generation job: ${field}: `);
});

test("repeats no caller's words in a fault", () => {
  const faulty = { ...job, order: { ...order, words: 'secret words', style: 'secret style' } };
  expect(() => readGenerationJob(faulty)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('secret') }),
  );
});
