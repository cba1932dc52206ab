/** The log of changes in the library: in the order of time, whatever was asked for, and never rewritten. */

import fc from 'fast-check';
import { createChangeLog } from '../../lambda/images/change-log';
import { createFakeIds } from '../fakes/ids';
import { createFakeImageLibrary } from '../fakes/image-library';

function open() {
  const library = createFakeImageLibrary();
  let nowMs = Date.UTC(2026, 0, 1);
  const log = createChangeLog({
    openLibrary: () => library,
    clock: { nowMs: () => nowMs },
    ids: createFakeIds(),
    readPrincipal: async () => 'arn:aws:iam::1:user/jane',
  });
  return { library, log, advance: (ms: number) => (nowMs += ms), at: (ms: number) => (nowMs = ms) };
}

it('returns exactly the entries since a moment, in their order', async () => {
  const day = 86_400_000;
  const moments = fc.array(fc.integer({ min: 0, max: 800 * day }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(moments, fc.nat({ max: 800 * day }), async (offsets, since) => {
      const { log, at } = open();
      const base = Date.UTC(2025, 11, 30);
      for (const offset of offsets) {
        at(base + offset);
        await log.record({ action: 'plan.changed', offset });
      }
      at(base + 801 * day);
      const expected = offsets.filter((offset) => offset >= since).sort((a, b) => a - b);
      expect((await log.since(base + since)).map(({ offset }) => offset)).toEqual(expected);
    }),
  );
});

it('reads one action alone, without the entries of others', async () => {
  const { library, log, advance } = open();
  await log.record({ action: 'key.created', id: 'a' });
  const removed = await log.record({ action: 'image.removed', id: 'b' });
  expect(removed).toEqual({
    at: '2026-01-01T00:00:00.000Z',
    principal: 'arn:aws:iam::1:user/jane',
    action: 'image.removed',
    id: 'b',
  });
  advance(1);
  const gets = jest.spyOn(library, 'get');
  expect(await log.since(0, 'image.removed')).toEqual([removed]);
  expect(gets).toHaveBeenCalledTimes(1);
});

it('keeps two entries of one moment', async () => {
  const { log } = open();
  await Promise.all(['a', 'b'].map((id) => log.record({ action: 'key.created', id })));
  expect(await log.since(0)).toHaveLength(2);
});
