/** Alarms read metrics that the functions write, and each has a runbook line. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
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

test('few alarms, each with a runbook line, and none fires without traffic', () => {
  for (const { Properties } of Object.values(alarms))
    expect(Properties['AlarmDescription']).toMatch(/^Runbook: .{40,}/);
  const above = (share: number, periods: number, seconds = 300) => [
    ...['notBreaching', 'GreaterThanThreshold', share],
    ...[periods, seconds],
  ];
  const rules = Object.entries(alarms).map(([id, { Properties }]) => {
    const { TreatMissingData, ComparisonOperator, Threshold, EvaluationPeriods, Period, Metrics } =
      Properties;
    const periods = (Metrics as { MetricStat?: { Period: number } }[] | undefined)?.flatMap(
      ({ MetricStat }) => MetricStat?.Period ?? [],
    );
    const period = Period ?? [...new Set(periods)].join();
    return [id, [TreatMissingData, ComparisonOperator, Threshold, EvaluationPeriods, Number(period)]];
  });
  expect(Object.fromEntries(rules)).toEqual({
    FailedAnswersAlarm: above(0.05, 3),
    InternalErrorsAlarm: above(10, 2),
    ThrottlesAlarm: above(0, 2),
    GenerationCeilingAlarm: above(0, 1),
    UnknownChargesAlarm: above(50, 3),
    FailedRefundsAlarm: above(20, 3),
    ManyGenerationsAlarm: above(500, 1, 3_600),
  });
});

test('alarms read sums of events that are written at once, whatever else is added up for a minute', () => {
  const ours = Object.entries({ ...alarms, ...resourcesOf(synthesise('prod'), 'AWS::CloudWatch::Alarm') })
    .map(([id, { Properties }]) => [id, Properties] as const)
    .filter(([, { MetricName }]) => (MetricName as string) in metrics);
  expect(ours.length).toBeGreaterThanOrEqual(5);
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
  expect(alarm('FailedAnswersAlarm')).toMatchObject({ MetricName: '5XXError', Statistic: 'Average' });
  expect(alarm('InternalErrorsAlarm')).toMatchObject({
    Namespace: 'Test',
    MetricName: 'refusals',
    Dimensions: [{ Name: 'code', Value: 'internal_error' }],
  });
});

test('the alarm of AI images reads what its name says', () => {
  const read = (id: string) => [alarm(id)['MetricName'], alarm(id)['Dimensions'], alarm(id)['Statistic']];
  const made = [{ Name: 'outcome', Value: 'ready' }];
  expect(read('ManyGenerationsAlarm')).toEqual(['generations', made, 'Sum']);
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
  const unbudgeted = synthesise('dev', { alarmEmail: 'ops@example.org' });
  for (const template of [dev, unbudgeted]) template.resourceCountIs('AWS::Budgets::Budget', 0);
  const watched = synthesise('dev', { alarmEmail: 'ops@example.org', monthlyBudgetUsd: 50 });
  watched.hasResourceProperties('AWS::Budgets::Budget', {
    Budget: { BudgetLimit: { Amount: 50, Unit: 'USD' }, TimeUnit: 'MONTHLY', BudgetType: 'COST' },
    NotificationsWithSubscribers: [
      { Notification: { NotificationType: 'ACTUAL', Threshold: 80, ComparisonOperator: 'GREATER_THAN' } },
      { Notification: { NotificationType: 'FORECASTED', Threshold: 100, ThresholdType: 'PERCENTAGE' } },
    ],
  });
});

test('the dashboard shows requests, refusals, money, and what load has left undone', () => {
  const [dashboard] = Object.values(resourcesOf(dev, 'AWS::CloudWatch::Dashboard'));
  const body = JSON.stringify(dashboard?.Properties['DashboardBody']);
  const money = ['meterUnknown', 'refundFailed'];
  for (const metric of ['requests', 'refusals', ...money, 'shed', 'meterThrottled', 'usageUncounted'])
    expect(body).toContain(`MetricName=`.concat('\\\\\\"', metric));
});
