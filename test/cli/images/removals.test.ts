/** What is kept of images that were taken down, beside everything else in the table. */

import { createRemovals } from '../../../cli/images/removals';
import { createItemStore } from '../../../lambda/stock/dynamodb/item-store';
import { tablesInMemory } from '../../fakes/observed';
import { createVirtualClock } from '../../fakes/virtual-clock';

test('a removal is found by its id, and listed after earlier ones', async () => {
  const clock = createVirtualClock();
  const { db } = tablesInMemory();
  const stockMemory = createItemStore(db, 'images', clock);
  const removals = createRemovals(db, 'images', stockMemory, clock);
  expect(await removals.all()).toEqual([]);
  const [late, early] = ['2026-11-22', '2026-11-21'].map((day, files) => ({
    id: `p${files}`,
    kind: 'stock' as const,
    files,
    at: `${day}T00:00:00.000Z`,
    by: 'jane',
    reason: 'a request',
  }));
  if (!late || !early) throw new Error('There are two.');
  const ends = { freshUntilMs: 0, staleUntilMs: clock.nowMs() + 1_000 };
  await stockMemory.write('P#p0', { value: { source: 'stock_a' }, ...ends });
  for (const each of [late, early]) await removals.note(each);
  expect(await removals.find('p0')).toEqual(late);
  expect(await removals.find('p2')).toBeUndefined();
  expect(await removals.all()).toEqual([early, late]);
});
