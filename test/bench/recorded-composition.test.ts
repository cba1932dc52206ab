/** What docs/performance.md says the hot functions consist of is what their bundles consist of, within a tenth or 5 KB. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compositionOf } from '../../bench/composition';
import { entryOf, projectRoot } from '../../lib/functions/bundle';
import { builtFunction } from '../lib/runtime/built-function';

const record = readFileSync(join(projectRoot, 'docs', 'performance.md'), 'utf8');

/** The largest difference, as a share of the recorded size or in KB. */
const toleratedShare = 0.1;
const toleratedKb = 5;

test.each(['redirect', 'authorizer'] as const)(
  'the recorded composition of %s is current (else: npm run bench -- --record)',
  (name) => {
    const [, total, parts] =
      new RegExp(`^- \\*\\*${name}\\*\\*, ([\\d.]+) KB: (.+)$`, 'm').exec(record) ?? [];
    const recorded = new Map(
      (parts ?? '').split(', ').map((part) => {
        const end = part.lastIndexOf(' ');
        return [part.slice(0, end), Number(part.slice(end + 1))];
      }),
    );
    const { bytes, parts: actual } = compositionOf(name, builtFunction(name), entryOf(name));
    const isNear = (kilobytes: number, said: number) =>
      Math.abs(kilobytes - said) <= Math.max(toleratedKb, toleratedShare * said);
    expect([bytes / 1_024, isNear(bytes / 1_024, Number(total))]).toEqual([expect.any(Number), true]);
    for (const [part, size] of actual)
      expect([part, size, isNear(size / 1_024, recorded.get(part) ?? 0)]).toEqual([part, size, true]);
    for (const [part, said] of recorded)
      if (said > toleratedKb) expect(actual.map(([found]) => found)).toContain(part);
  },
  60_000,
);
