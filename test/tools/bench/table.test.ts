/** How rows are printed and recorded. */

import { recordOf } from '../../../tools/bench/record';
import type { Row } from '../../../tools/bench/row';
import { tableOf } from '../../../tools/bench/table';

const row: Row = {
  group: 'cold',
  name: 'Cold start',
  baseline: 'hand-written',
  unit: 'CPU ms',
  measured: 65,
  least: 26,
  ratio: 2.5,
  ratioMax: 2.4,
};
const { ratioMax: _, ...stated } = row;

test('all lines of a table are equally long, and there is one for each row below two of heads', () => {
  const lines = tableOf([row, { ...stated, name: 'Something with a much longer name', ratio: 1234 }]).split(
    '\n',
  );
  expect(lines).toHaveLength(4);
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
});

test('a row states its ratio, its target and its verdict', () => {
  expect(tableOf([row])).toMatch(/2\.50 × \| +≤ 2\.40 × \| ABOVE TARGET \|/);
  expect(tableOf([{ ...row, ratio: 2 }])).toMatch(/2\.00 × \| +≤ 2\.40 × \| within target \|/);
  expect(tableOf([stated])).toMatch(/– \| no target \|/);
});

test('a record states date and machine of the run, and what the hot functions consist of', () => {
  const machine = { platform: 'linux x64', cores: 2, node: 'v24.1.0' };
  const record = recordOf([row], machine, '2026-11-21', [
    {
      functionName: 'redirect',
      bytes: 3_072,
      parts: [
        ['zod', 2_048],
        ['lambda/http', 1_024],
        ['tiny', 9],
      ],
    },
  ]);
  expect(record).toContain('- **redirect**, 3.0 KB: zod 2.0, lambda/http 1.0\n');
  expect(record).toContain('2026-11-21: linux x64, 2 cores, Node.js v24.1.0');
  expect(record).toContain(tableOf([row]));
});
