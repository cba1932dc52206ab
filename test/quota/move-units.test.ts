/** A move of used units between a limited and an unlimited counter counts each unit once. */

import { unlimitedRequests } from '../../lambda/contract/plans';
import { moveUnits } from '../../lambda/quota/move-units';
import { readUsedUnits, takeUnits } from '../../lambda/quota/take';
import { makeRefusedCall, startTables } from './processes';

const { clock, makeLimit, createProcess } = startTables();

test.each([
  ['the mark is written', 'SET', true],
  ['the addition is written', 'ADD', true],
  ['the addition is lost', 'ADD', false],
  ['the deletion is lost', 'DELETE', false],
])('a move that breaks when %s counts each unit once if it is repeated', async (_, verb, isApplied) => {
  const unlimited = makeLimit(`moved-${verb}-${isApplied}`, unlimitedRequests);
  const limited = { ...unlimited, max: 50 };
  for (const [from, to] of [
    [unlimited, limited],
    [limited, unlimited],
    [unlimited, limited],
  ] as const) {
    const usedBefore = await readUsedUnits(createProcess(), from);
    const taken = await takeUnits(createProcess(), [from], 'r');
    const [unit] = taken.outcome === 'taken' ? taken.units : [];
    const broken = createProcess(async ({ Key, UpdateExpression = 'DELETE' }, send) => {
      const isOfUnit = verb === 'ADD' || Key?.pk === unit?.key;
      if (!isOfUnit || !UpdateExpression.startsWith(verb)) return send();
      if (isApplied) await send();
      throw makeRefusedCall();
    });
    await expect(moveUnits(broken, from, to)).rejects.toThrow('no table');
    await moveUnits(createProcess(), from, to);
    expect(await readUsedUnits(createProcess(), from)).toBe(0);
    expect(await readUsedUnits(createProcess(), to)).toBe(usedBefore + 1);
    await clock.advance(1);
  }
});
