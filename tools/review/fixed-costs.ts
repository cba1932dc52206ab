/** The fixed costs of a stack: the resources of its template that AWS bills by the month, whatever it serves, and their section of the cost sheet. */

import type { StageName } from '../../lib/stage-settings';
import { dollars, table } from '../markdown';
import { prices } from './prices';

/** Counts of such resources. */
export interface BilledResources {
  readonly secrets: number;
  /** An alarm on several metrics counts once for each. */
  readonly alarmMetrics: number;
  readonly firewalls: number;
  /** Of all firewalls together. */
  readonly firewallRules: number;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: {
    /** Of an alarm on several metrics. */
    readonly Metrics?: readonly { readonly MetricStat?: unknown }[];
    /** Of a firewall. */
    readonly Rules?: readonly unknown[];
  };
}

/** Counts the resources of a stack. @param template as CloudFormation takes it */
export function billedResourcesOf(template: Readonly<Record<string, unknown>>): BilledResources {
  const all = Object.values((template['Resources'] ?? {}) as Readonly<Record<string, Resource>>);
  const of = (type: string) => all.filter(({ Type }) => Type === type);
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const firewalls = of('AWS::WAFv2::WebACL');
  return {
    secrets: of('AWS::SecretsManager::Secret').length,
    alarmMetrics: sum(
      of('AWS::CloudWatch::Alarm').map(
        ({ Properties: { Metrics } = {} }) =>
          Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1,
      ),
    ),
    firewalls: firewalls.length,
    firewallRules: sum(firewalls.map(({ Properties: { Rules = [] } = {} }) => Rules.length)),
  };
}

/** Assumed: combinations of a metric and its dimensions that a stack counts. */
const customMetrics = 40;

/** Dollars of the access list with its rules. */
const firewallCostOf = ({ firewalls, firewallRules }: BilledResources) =>
  firewalls * prices.firewallMonth + (firewallRules - firewalls) * prices.firewallRuleMonth;

/** Dollars a month of a stack that serves nothing and stores nothing. */
export function monthlyCostOf(billed: BilledResources): number {
  return (
    billed.secrets * prices.secretMonth +
    billed.alarmMetrics * prices.alarmMetricMonth +
    customMetrics * prices.metricMonth +
    firewallCostOf(billed)
  );
}

/** Markdown: each item with its dollars a month, as prod has it. */
export function fixedCosts({ dev, prod }: Readonly<Record<StageName, BilledResources>>): string {
  const rows = [
    ['Secrets', dollars(prod.secrets * prices.secretMonth), `${prod.secrets} in prod, ${dev.secrets} in dev`],
    [
      'Alarms',
      dollars(prod.alarmMetrics * prices.alarmMetricMonth),
      `${prod.alarmMetrics} metrics with an alarm in prod, ${dev.alarmMetrics} in dev`,
    ],
    [
      'Tables',
      dollars(prices.tableGigabyteMonth + prices.recoveryGigabyteMonth),
      'per GB, including point-in-time recovery; 100,000 AI images or picks are about 0.1 GB',
    ],
    [
      'Custom metrics',
      dollars(customMetrics * prices.metricMonth),
      `about ${customMetrics} combinations of dimensions`,
    ],
    ['Firewall', dollars(firewallCostOf(prod)), 'one list and two rules; on in prod by default'],
  ];
  return `## Fixed costs per month

${table(['Item', 'Cost', 'Notes'], rows)}

Without traffic, prod costs ${dollars(monthlyCostOf(prod))} a month before tables and free tiers, and dev ${dollars(monthlyCostOf(dev))}.`;
}
