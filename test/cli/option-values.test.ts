/** The bounds of what options take. */

import { readDuration, readMaxPerMonth, readText } from '../../cli/option-values';
import { unlimitedRequests } from '../../lambda/contract/plans';

const most = unlimitedRequests - 1;
test.each<[string, (text: string) => unknown, string, unknown]>([
  ['a limit', readMaxPerMonth, '1', 1],
  ['a limit', readMaxPerMonth, '0', undefined],
  ['a limit', readMaxPerMonth, String(most), most],
  ['a limit', readMaxPerMonth, String(most + 1), undefined],
  ['a limit', readMaxPerMonth, '1.5', undefined],
  ['a time', readDuration('--overlap'), '0', 0],
  ['a time', readDuration('--overlap'), '90s', 90_000],
  ['a time', readDuration('--overlap'), '30m', 1_800_000],
  ['a time', readDuration('--overlap'), '24h', 86_400_000],
  ['a time', readDuration('--overlap'), '365d', 365 * 86_400_000],
  ['a time', readDuration('--overlap'), '366d', undefined],
  ['a time', readDuration('--overlap'), '5', undefined],
  ['a name', readText('--name'), ` ${'\u{1f98a}'.repeat(100)} `, '\u{1f98a}'.repeat(100)],
  ['a name', readText('--name'), 'x'.repeat(101), undefined],
  ['a name', readText('--name'), ' ', undefined],
  ['a name', readText('--name'), 'a\tb', undefined],
])('%s is read within its bounds', (_, read, text, value) => {
  if (value === undefined) expect(() => read(text)).toThrow(expect.objectContaining({ exitCode: 2 }));
  else expect(read(text)).toBe(value);
});
