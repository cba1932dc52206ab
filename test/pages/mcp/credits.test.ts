/** The credits of images by their picks: as many as a batch has, and what is not known is counted. */

import { batchBounds } from '../../../lambda/contract/batch';
import { credits } from '../../../lambda/pages/mcp/credits';
import type { ToolDeps } from '../../../lambda/pages/mcp/tool';

const caller = { kind: 'live', account: 'acc_1', plan: 'pro', keyId: 'k' };
const call = (picks: unknown) =>
  credits.call(
    {
      pickedImages: {
        credit: async (pick: string) => (pick === 'p0' ? { creditLine: 'By "A"' } : undefined),
      },
    } as Partial<ToolDeps> as ToolDeps,
    { admission: { outcome: 'known', caller }, query: {}, header: () => undefined } as never,
    { picks },
  );
const picks = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`);

test.each([1, 2, 3, batchBounds.imagesMax])('%i picks have their credits', async (count) => {
  const { content, isError } = await call(picks(count));
  const unknown = count === 1 ? [] : [`${count - 1} unknown ${count === 2 ? 'pick' : 'picks'}`];
  expect([isError, content]).toEqual([
    undefined,
    [{ type: 'text', text: ['p0: "By \\"A\\""', ...unknown].join('\n') }],
  ]);
});

test.each([
  ['none', []],
  ['one too many', picks(batchBounds.imagesMax + 1)],
  ['a text', 'p0'],
  ['an invalid pick', ['p 0']],
  ['a pick that is too long', ['p'.repeat(65)]],
])('%s is refused', async (_, given) => {
  expect(await call(given)).toMatchObject({ isError: true });
});
