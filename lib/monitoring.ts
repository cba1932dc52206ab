/** Dashboard, alarms, and who is told: by e-mail where an address is set. */

import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AlarmStatusWidget, Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { Alarms } from './alarms';
import { addBudget } from './budget';
import type { NodeFunction } from './functions/node-function';
import { pinLogicalId } from './logical-ids';
import { byDimension, fiveMinutes } from './metrics';
import type { Stage } from './stage';

export interface MonitoringProps {
  readonly stage: Stage;
  readonly api: RestApi;
  readonly functions: readonly NodeFunction[];
  readonly sweeper: NodeFunction;
}

export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, { stage, api, functions, sweeper }: MonitoringProps) {
    super(scope, id);
    const alarms = new Alarms(this, 'Alarms', api, sweeper.metricErrors({ period: fiveMinutes }));
    if (stage.alarmEmail !== undefined) {
      // Alarms hold no secrets, and a topic with a key of AWS's own cannot be written to by alarms.
      const topic = new Topic(this, 'AlarmTopic', { enforceSSL: true });
      pinLogicalId(topic, 'AlarmTopic');
      topic.addSubscription(new EmailSubscription(stage.alarmEmail));
      for (const alarm of alarms.all) alarm.addAlarmAction(new SnsAction(topic));
      addBudget(this, stage);
    }
    const dashboard = new Dashboard(this, 'Dashboard');
    pinLogicalId(dashboard, 'Dashboard');
    const half = (title: string, left: IMetric[], right: IMetric[] = []) =>
      new GraphWidget({ title, left, right, width: 12, period: fiveMinutes });
    dashboard.addWidgets(
      new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.all], width: 24, height: 3 }),
      half('Requests by source, cache and caller', [byDimension('requests')]),
      half('Refusals by code', [byDimension('refusals')]),
      half('Answers', [api.metricCount(), api.metricClientError(), api.metricServerError()]),
      half('Latency, ms', [api.metricLatency({ statistic: 'p50' }), api.metricLatency({ statistic: 'p99' })]),
      half(
        'Function errors',
        functions.map((fn) => fn.metricErrors({ label: fn.node.id })),
      ),
      half(
        'Function duration p95, ms',
        functions.map((fn) => fn.metricDuration({ statistic: 'p95', label: fn.node.id })),
      ),
      half('Provider failures', [byDimension('providerFailures')]),
      half('Renditions', [byDimension('renditions')]),
      half(
        'Money',
        [byDimension('meterUnknown'), byDimension('refundFailed'), byDimension('refunds')],
        [byDimension('invariantBroken')],
      ),
    );
  }
}
