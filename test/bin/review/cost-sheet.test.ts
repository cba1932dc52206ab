/** The cost sheet is current, and within the promised costs. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  alarmMetrics,
  classes,
  costOf,
  costSheet,
  type Usage,
  usageWrites,
} from '../../../bin/review/cost-sheet';
import { confirmedPrices, pricePages, prices } from '../../../bin/review/prices';
import { resourcesOf, synthesiseOnce } from '../../lib/synthesise';

test('the committed cost sheet is current (else: npm run synth)', () => {
  expect(readFileSync(join(__dirname, '..', '..', '..', 'docs', 'cost.md'), 'utf8')).toBe(costSheet());
});

test('a million stock redirects of a known caller cost at most 4.75 dollars', () => {
  const warm = classes.find(({ name }) => name === 'Stock image, known, warm');
  expect(costOf(warm ?? { name: '', functions: [], writes: 1e9, reads: 0 }) * 1e6).toBeLessThanOrEqual(4.75);
});

test('the cost of a request is the sum of its call, invocations, duration, reads and writes', () => {
  const functions = [{ memoryMb: 1_024, billedMs: 1_000 }];
  const usage = { name: 'any', functions, writes: 2, reads: 4, puts: 1, gets: 10 };
  const micro = 3.5 + 0.2 + 13.3334 + 2 * 0.625 + 4 * 0.125 + 5 + 4;
  expect(costOf(usage) * 1e6).toBeCloseTo(micro, 6);
});

test.each(['dev', 'prod'] as const)(
  'the alarms that are counted for %s are those of its template',
  (stage) => {
    const alarms = Object.values(resourcesOf(synthesiseOnce(stage), 'AWS::CloudWatch::Alarm'));
    const metrics = alarms.flatMap(({ Properties }) => {
      const { Metrics } = Properties as { Metrics?: readonly { MetricStat?: unknown }[] };
      return Metrics ? Metrics.filter(({ MetricStat }) => MetricStat !== undefined) : [Properties];
    });
    expect(metrics).toHaveLength(alarmMetrics[stage]);
  },
);

test('a paid plan costs at most 15 % more than a free one, even where every request is written by itself', () => {
  const warm = classes.find(({ name }) => name === 'Stock image, known, warm') as Usage;
  const paid = { ...warm, writes: warm.writes + usageWrites.single };
  expect(costOf(paid) / costOf(warm)).toBeLessThanOrEqual(1.15);
});

test('every price names the page where it stands', () => {
  expect(Object.keys(pricePages).sort()).toEqual(Object.keys(prices).sort());
  expect(Object.keys(prices)).toEqual(expect.arrayContaining([...confirmedPrices]));
});
