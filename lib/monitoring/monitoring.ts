/** Dashboard, alarms and budget, which notify an e-mail address where one is configured. */

import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { AlarmStatusWidget, Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { pinLogicalId } from '../resources';
import type { Stage } from '../stage';
import { Alarms, type Watched } from './alarms';
import { byDimension, fiveMinutes } from './metrics';

/** A topic and a budget exist only where the stage has an e-mail address. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const alarms = new Alarms(this, 'Alarms', watched);
    const { stage, api, functions } = watched;
    if (stage.alarmEmail !== undefined) {
      // Alarms hold no secrets, and a topic with a key of AWS's own cannot be written to by alarms.
      const topic = new Topic(this, 'AlarmTopic', { enforceSSL: true });
      pinLogicalId(topic, 'AlarmTopic');
      // A policy of its own replaces the one that would let alarms publish.
      topic.addToResourcePolicy(
        new PolicyStatement({
          principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
          actions: ['sns:Publish'],
          resources: [topic.topicArn],
          conditions: { StringEquals: { 'aws:SourceAccount': topic.stack.account } },
        }),
      );
      topic.addSubscription(new EmailSubscription(stage.alarmEmail));
      for (const alarm of alarms.all) alarm.addAlarmAction(new SnsAction(topic));
      addBudget(this, stage);
    }
    const dashboard = new Dashboard(this, 'Dashboard');
    pinLogicalId(dashboard, 'Dashboard');
    const answers = api.deploymentStage;
    const half = (title: string, left: IMetric[], right: IMetric[] = []) =>
      new GraphWidget({ title, left, right, width: 12, period: fiveMinutes });
    dashboard.addWidgets(
      new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.all], width: 24, height: 3 }),
      half('Requests by source, cache and caller', [byDimension(this, 'requests')]),
      half('Refusals by code', [byDimension(this, 'refusals')]),
      half('Answers', [answers.metricCount(), answers.metricClientError(), answers.metricServerError()]),
      half('Latency, ms', [
        answers.metricLatency({ statistic: 'p50' }),
        answers.metricLatency({ statistic: 'p99' }),
      ]),
      half(
        'Function errors',
        functions.map((fn) => fn.metricErrors({ label: fn.node.id })),
      ),
      half(
        'Function duration p95, ms',
        functions.map((fn) => fn.metricDuration({ statistic: 'p95', label: fn.node.id })),
      ),
      half('Provider failures', [byDimension(this, 'providerFailures')]),
      half('Renditions', [byDimension(this, 'renditions')]),
      half('AI images', [byDimension(this, 'generations')]),
      half('Money', [
        byDimension(this, 'meterUnknown'),
        byDimension(this, 'refundFailed'),
        byDimension(this, 'refunds'),
      ]),
      half('Shed under load, by reason', [byDimension(this, 'shed'), byDimension(this, 'meterThrottled')]),
      half('Requests missing in the usage break-down', [byDimension(this, 'usageUncounted')]),
    );
  }
}

/** Notifies when a month's costs pass 80 % of what was planned, or are going to pass all of it. */
function addBudget(scope: Construct, { monthlyBudgetUsd, alarmEmail }: Stage): void {
  if (monthlyBudgetUsd === undefined || alarmEmail === undefined) return;
  const tell = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: {
      notificationType,
      threshold,
      comparisonOperator: 'GREATER_THAN',
      thresholdType: 'PERCENTAGE',
    },
    subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
  });
  const budget = new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetUsd, unit: 'USD' },
    },
    notificationsWithSubscribers: [tell('ACTUAL', 80), tell('FORECASTED', 100)],
  });
  budget.overrideLogicalId('MonthlyBudget');
}
