/** Alarms read metrics that the functions write, and each has a runbook line. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  invariants,
  isWrittenAtOnce,
  type MetricName,
  metricIntervalMs,
  metrics,
} from '../../../lambda/contract/metrics';
import { resourcesOf, synthesise } from '../synthesise';

const dev = synthesise('dev');
const alarms = resourcesOf(dev, 'AWS::CloudWatch::Alarm');

const lambda = join(__dirname, '..', '..', '..', 'lambda');
const sources = readdirSync(lambda, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(lambda, file), 'utf8'));

test.each(Object.keys(metrics))('the functions write the metric %s', (metric) => {
  const written = sources.filter((text) => new RegExp(`\\.(count|time)\\([^)]*'${metric}'`).test(text));
  expect(written).not.toEqual([]);
});

test('every invariant that the functions check has an alarm', () => {
  const named = sources
    .flatMap((text) => [...text.matchAll(/'invariantBroken',\s*\{\s*invariant: '([^']+)'/g)])
    .map(([, name]) => name);
  expect(named.sort()).toEqual([...invariants].sort());
  for (const invariant of invariants)
    dev.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'invariantBroken',
      Dimensions: [{ Name: 'invariant', Value: invariant }],
    });
});

test('few alarms, each with a runbook line, and none but that of the sweeper fires without traffic', () => {
  expect(Object.keys(alarms).length).toBeLessThanOrEqual(11);
  for (const [id, { Properties }] of Object.entries(alarms)) {
    expect(Properties['AlarmDescription']).toMatch(/^Runbook: .{40,}/);
    expect([id, Properties['TreatMissingData']]).toEqual([
      id,
      id === 'SilentSweeperAlarm' ? 'breaching' : 'notBreaching',
    ]);
  }
});

test('alarms read sums of events that are written at once, whatever else is added up for a minute', () => {
  const ours = Object.entries({ ...alarms, ...resourcesOf(synthesise('prod'), 'AWS::CloudWatch::Alarm') })
    .map(([id, { Properties }]) => [id, Properties] as const)
    .filter(([, { MetricName }]) => (MetricName as string) in metrics);
  expect(ours.length).toBeGreaterThan(5);
  for (const [id, { MetricName, Dimensions = [], Statistic, Period }] of ours) {
    const named = (Dimensions as { Name: string; Value: string }[]).map(({ Name, Value }) => [Name, Value]);
    expect([id, isWrittenAtOnce(MetricName as MetricName, Object.fromEntries(named)), Statistic]).toEqual([
      id,
      true,
      'Sum',
    ]);
    expect(Number(Period) * 1_000).toBeGreaterThanOrEqual(metricIntervalMs);
  }
});

const alarm = (id: string) => alarms[id]?.Properties ?? {};

test('an alarm fires when functions are throttled, whichever it is', () => {
  const watched = JSON.stringify(alarm('ThrottlesAlarm')['Metrics']);
  for (const id of Object.keys(resourcesOf(dev, 'AWS::Lambda::Function')).filter((id) =>
    /Function$/.test(id),
  ))
    expect(watched).toContain(`{"Ref":"${id}"}`);
});

test('an alarm fires on the 5XX answers of this stage alone, and on internal_error', () => {
  const names = (alarm('FailedAnswersAlarm')['Dimensions'] as { Name: string }[]).map(({ Name }) => Name);
  expect(names).toEqual(['ApiName', 'Stage']);
  expect(alarm('InternalErrorsAlarm')).toMatchObject({
    Namespace: 'Test',
    MetricName: 'refusals',
    Dimensions: [{ Name: 'code', Value: 'internal_error' }],
  });
});

test('an alarm fires when the sweeper is silent for a quarter of an hour', () => {
  expect(alarm('SilentSweeperAlarm')).toMatchObject({
    MetricName: 'Invocations',
    Dimensions: [{ Name: 'FunctionName', Value: { Ref: 'SweeperFunction' } }],
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 1,
    EvaluationPeriods: 3,
  });
});

test('an alarm fires when more AI images are made in an hour than the settings expect', () => {
  expect(alarm('ManyGenerationsAlarm')).toMatchObject({
    MetricName: 'generations',
    Dimensions: [{ Name: 'outcome', Value: 'ready' }],
    Period: 3_600,
    Threshold: 500,
  });
});

test('with a judge and a rewriter, alarms fire when one fails often, and when limits keep it from being asked', () => {
  const judge = { kind: 'bedrock', modelId: 'amazon.nova-lite-v1:0', region: 'us-east-1' };
  const all = resourcesOf(synthesise('dev', { judge, rewriter: judge }), 'AWS::CloudWatch::Alarm');
  const more = Object.keys(all).filter((id) => !(id in alarms));
  expect(
    more.map((id) => [id, all[id]?.Properties['MetricName'], all[id]?.Properties['Dimensions']]),
  ).toEqual(
    (['Judge', 'Rewriter'] as const).flatMap((name) => {
      const metric = { Judge: 'judgements', Rewriter: 'rewritings' }[name];
      const of = (outcome: string) => [{ Name: 'outcome', Value: outcome }];
      return [
        [`Failing${name}Alarm`, metric, of('failed')],
        [`Limited${name}Alarm`, metric, of('limited')],
      ];
    }),
  );
  expect([isWrittenAtOnce('judgements', {}), isWrittenAtOnce('rewritings', {})]).toEqual([true, true]);
});

test('alarms notify only a configured e-mail address, and then all of them do', () => {
  for (const { Properties } of Object.values(alarms)) expect(Properties['AlarmActions']).toBeUndefined();
  const configured = synthesise('dev', { alarmEmail: 'ops@example.org' });
  configured.hasResourceProperties('AWS::SNS::Subscription', {
    Protocol: 'email',
    Endpoint: 'ops@example.org',
  });
  for (const { Properties } of Object.values(resourcesOf(configured, 'AWS::CloudWatch::Alarm')))
    expect(Properties['AlarmActions']).toEqual([{ Ref: 'AlarmTopic' }]);
});

test('a budget exists only when configured', () => {
  dev.resourceCountIs('AWS::Budgets::Budget', 0);
  const watched = synthesise('dev', { alarmEmail: 'ops@example.org', monthlyBudgetUsd: 50 });
  watched.hasResourceProperties('AWS::Budgets::Budget', {
    Budget: { BudgetLimit: { Amount: 50, Unit: 'USD' }, TimeUnit: 'MONTHLY' },
  });
});

test('the dashboard shows requests, refusals, money, and what load has left undone', () => {
  const [dashboard] = Object.values(resourcesOf(dev, 'AWS::CloudWatch::Dashboard'));
  const body = JSON.stringify(dashboard?.Properties['DashboardBody']);
  const money = ['meterUnknown', 'refundFailed', 'invariantBroken'];
  for (const metric of ['requests', 'refusals', ...money, 'shed', 'meterThrottled', 'usageUncounted'])
    expect(body).toContain(`MetricName=`.concat('\\\\\\"', metric));
});
