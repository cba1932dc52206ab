/** The sheet of a query as models are shown it: an image, and a line of text for each of its numbers. */

import { picks } from '../../../lambda/pages/mcp/picks';
import type { ToolDeps } from '../../../lambda/pages/mcp/tool';
import type { showSheet } from '../../../lambda/pages/picks';
import type { Refusal } from '../../../lambda/problems/problem';

const candidate = {
  thumbnail: '',
  width: 300,
  height: null,
  title: null,
  chosen: false,
  refused: false,
};
const candidates = [
  { ...candidate, number: 1, pick: 'p1', alt: 'A "lake"', fit: 'exact', credit: 'C', chosen: true },
  { ...candidate, number: 2, pick: 'p2', alt: null, fit: 'loose', credit: 'D', refused: true },
];
const view = { query: 'lake', orientation: 'square', provider: 'stock_a', chosen: 'p1', refused: ['p2'] };
const input = { query: 'lake', orientation: 'square' };

const call = (refusal?: Refusal) => {
  const asked: unknown[][] = [];
  const show = async (_: unknown, ...request: unknown[]) => {
    asked.push(request);
    return refusal ? { refusal } : { view: { ...view, candidates }, sheet: 'SkZJRg==' };
  };
  const loadPicks = async () => ({ showSheet: show as unknown as typeof showSheet });
  const shown = picks.call({ loadPicks } as Partial<ToolDeps> as ToolDeps, 'the request' as never, input);
  return { asked, shown };
};

it('has one line for each image, what providers say quoted, and its thumbnails on the sheet alone', async () => {
  const { asked, shown } = call();
  expect(await shown).toEqual({
    content: [
      { type: 'image', data: 'SkZJRg==', mimeType: 'image/jpeg' },
      {
        type: 'text',
        text: [
          '1: exact, chosen, pick p1, "A \\"lake\\"", credit "C"',
          '2: loose, refused, pick p2, "", credit "D"',
        ].join('\n'),
      },
    ],
    structuredContent: { ...view, candidates: candidates.map(({ thumbnail: _, ...rest }) => rest) },
  });
  expect(asked).toEqual([['the request', input, true]]);
});

it('says why there is none', async () => {
  expect(await call({ code: 'no_image_found' }).shown).toMatchObject({ isError: true });
});
