/** The cost sheet is current, and within the promised costs. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BedrockModelId, readGeneratorSettings } from '../../../lambda/contract/generators';
import { planNames, tiers } from '../../../lambda/contract/plans';
import { costSheet } from '../../../tools/review/cost-sheet';
import { billedResourcesOf } from '../../../tools/review/fixed-costs';
import { monthlyCostOf, priceOf } from '../../../tools/review/generation-costs';
import { prices } from '../../../tools/review/prices';
import {
  classes,
  costOf,
  edgeCost,
  planCostMax,
  planCostMaxWithUsage,
  planCosts,
  type Usage,
} from '../../../tools/review/request-costs';
import { accessLogBytes, logCost, metricBytes } from '../../../tools/review/request-logs';
import { resourcesOf, synthesise } from '../../lib/synthesise';

const billed = {
  dev: billedResourcesOf(synthesise('dev').toJSON()),
  prod: billedResourcesOf(synthesise('prod').toJSON()),
};

test('the committed cost sheet is current (else: npm run synth)', () => {
  expect(readFileSync(join(__dirname, '..', '..', '..', 'docs', 'cost.md'), 'utf8')).toBe(costSheet(billed));
});

test('the AI images of a month, by the default model, cost less than pro and business pay, and a dollar at most for a free account', () => {
  const generator = readGeneratorSettings({ kind: 'bedrock-stability' });
  const model = (generator as { modelId: BedrockModelId }).modelId;
  expect(prices.images[model]).toBe(0.04);
  const costs = planNames.map((plan) => [plan, monthlyCostOf(plan, model), priceOf(plan)]);
  expect(costs).toEqual([
    ['free', 1, 0],
    ['pro', 20, 29],
    ['business', 160, 199],
    ['enterprise', 800, undefined],
  ]);
  const sheet = costSheet(billed);
  expect(sheet).toContain(
    '| `stability.sd3-5-large-v1:0` | $2.00, more than it pays | $40.00, more than it pays | $320.00, more than it pays | $1600.00 |',
  );
});

test('a million stock redirects of a known caller cost at most 4.75 dollars', () => {
  const warm = classes.find(({ name }) => name === 'Stock image, known, warm');
  expect(costOf(warm ?? { name: '', functions: [], writes: 1e9, reads: 0 }) * 1e6).toBeLessThanOrEqual(4.75);
});

test('a million known stock images cost at most 4.80 dollars with their logs, and with a write of usage 5.45', () => {
  expect([planCostMax, planCostMaxWithUsage]).toEqual([4.8, 5.45]);
  expect(planCosts.map(({ tier }) => tier)).toEqual([...tiers]);
  const above = planCosts.filter(({ perMillionLogged, mostPerMillion }) => perMillionLogged > mostPerMillion);
  expect(above.map(({ tier }) => tier)).toEqual([]);
});

test('logs cost what the lines are long that the gateway and the functions write', () => {
  // A minute of an instance fills at least one line, whose share is more than nothing.
  expect(metricBytes).toBeGreaterThan(3);
  expect(logCost * 1e6).toBeCloseTo((accessLogBytes * 0.25 + metricBytes * 0.5) * (1e6 / 1024 ** 3), 6);
});

test('the cost of a request is the sum of its call, invocations, duration, reads and writes', () => {
  const functions = [{ memoryMb: 1_024, billedMs: 1_000 }];
  const usage = { name: 'any', functions, writes: 2, reads: 4, puts: 1, gets: 10 };
  const micro = 3.5 + 0.2 + 13.3334 + 2 * 0.625 + 4 * 0.125 + 5 + 4;
  expect(costOf(usage) * 1e6).toBeCloseTo(micro, 6);
});

test.each(['dev', 'prod'] as const)(
  'the alarms and secrets that are counted for %s are those of its template',
  (stage) => {
    const alarms = Object.values(resourcesOf(synthesise(stage), 'AWS::CloudWatch::Alarm'));
    const metrics = alarms.flatMap(({ Properties }) => {
      const { Metrics } = Properties as { Metrics?: readonly { MetricStat?: unknown }[] };
      return Metrics ? Metrics.filter(({ MetricStat }) => MetricStat !== undefined) : [Properties];
    });
    expect(metrics).toHaveLength(billed[stage].alarmMetrics);
    const secrets = resourcesOf(synthesise(stage), 'AWS::SecretsManager::Secret');
    expect(Object.keys(secrets)).toHaveLength(billed[stage].secrets);
    const sheet = costSheet(billed);
    expect(sheet).toContain(`| Secrets | $${(billed.prod.secrets * 0.4).toFixed(2)} |`);
  },
);

test('the firewall with its two rules is counted where a template has it', () => {
  expect(billed.prod).toMatchObject({ firewalls: 1, firewallRules: 2 });
  expect(billed.dev).toMatchObject({ firewalls: 0, firewallRules: 0 });
});

test('the edge adds no secret, and two rules to the firewall', () => {
  const { secrets } = billed.prod;
  const edge = billedResourcesOf(synthesise('prod', { edge: true }).toJSON());
  expect(edge).toMatchObject({ secrets, firewalls: 1, firewallRules: 4 });
});

test('a request that the edge answers costs less than a third of one that the API answers', () => {
  const warm = classes.find(({ name }) => name === 'Stock image, known, warm');
  expect(edgeCost() * 1e6).toBeCloseTo(1 + 0.1 + (2_200 / 1024 ** 3) * 0.085 * 1e6, 6);
  expect(edgeCost()).toBeLessThan(costOf(warm ?? { name: '', functions: [], writes: 0, reads: 0 }) / 3);
});

test('a paid plan costs at most 15 % more than a free one, even where every request is written by itself', () => {
  const warm = classes.find(({ name }) => name === 'Stock image, known, warm') as Usage;
  const paid = { ...warm, writes: warm.writes + 1 };
  expect(costOf(paid) / costOf(warm)).toBeLessThanOrEqual(1.15);
});
