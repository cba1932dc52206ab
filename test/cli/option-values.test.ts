/** The bounds of what options take, and the state that a key is in. */

import { stateOf } from '../../cli/keys/key-views';
import { readDuration, readMaxPerMonth, readName, wholeNumber } from '../../cli/option-values';
import { unlimitedRequests } from '../../lambda/contract/plans';

const most = unlimitedRequests - 1;
test.each<[string, (text: string) => unknown, string, unknown]>([
  ['a limit', readMaxPerMonth, '1', 1],
  ['a limit', readMaxPerMonth, '0', undefined],
  ['a limit', readMaxPerMonth, String(most), most],
  ['a limit', readMaxPerMonth, String(most + 1), undefined],
  ['a limit', readMaxPerMonth, '1.5', undefined],
  ['a number', wholeNumber('--seed'), String(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
  ['a number', wholeNumber('--seed'), '9007199254740992', undefined],
  ['a number', wholeNumber('--seed'), '1e3', undefined],
  ['a time', readDuration('--overlap'), '0', 0],
  ['a time', readDuration('--overlap'), '90s', 90_000],
  ['a time', readDuration('--overlap'), '30m', 1_800_000],
  ['a time', readDuration('--overlap'), '24h', 86_400_000],
  ['a time', readDuration('--overlap'), '365d', 365 * 86_400_000],
  ['a time', readDuration('--overlap'), '366d', undefined],
  ['a time', readDuration('--overlap'), '5', undefined],
  ['a name', readName('--name'), ` ${'\u{1f98a}'.repeat(100)} `, '\u{1f98a}'.repeat(100)],
  ['a name', readName('--name'), 'x'.repeat(101), undefined],
  ['a name', readName('--name'), ' ', undefined],
  ['a name', readName('--name'), 'a\tb', undefined],
])('%s is read within its bounds', (_, read, text, value) => {
  if (value === undefined) expect(() => read(text)).toThrow(expect.objectContaining({ exitCode: 2 }));
  else expect(read(text)).toBe(value);
});

test('a key ends at its end, and is revoked whatever its end', () => {
  const endMs = Date.UTC(2026, 10, 30);
  const expiresAt = new Date(endMs).toISOString();
  const states = [
    stateOf({ expiresAt } as never, endMs - 1),
    stateOf({ expiresAt } as never, endMs),
    stateOf({} as never, endMs),
    stateOf({ expiresAt, revokedAt: expiresAt } as never, endMs - 1),
  ];
  expect(states).toEqual(['expiring', 'expired', 'active', 'revoked']);
});
