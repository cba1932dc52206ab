/** The section of the cost sheet on what a stack costs each month, whatever it serves. */

import type { StageName } from '../../lib/stage-settings';
import type { BilledResources } from './billed-resources';
import { dollars, table } from './markdown';
import { prices } from './prices';

/** Assumed: combinations of a metric and its dimensions that a stack counts. */
const customMetrics = 40;

/** Markdown: each item with its dollars a month, as prod has it. */
export function fixedCosts({ dev, prod }: Readonly<Record<StageName, BilledResources>>): string {
  const firewall =
    prod.firewalls * prices.firewallMonth + (prod.firewallRules - prod.firewalls) * prices.firewallRuleMonth;
  const rows = [
    [
      'Secrets',
      dollars(prod.secrets * prices.secretMonth),
      `${prod.secrets} in prod, ${dev.secrets} in dev; one less where no provider and no generator takes a key`,
    ],
    [
      'Alarms',
      dollars(prod.alarmMetrics * prices.alarmMetricMonth),
      `${prod.alarmMetrics} metrics with an alarm in prod, ${dev.alarmMetrics} in dev`,
    ],
    ['Dashboard', dollars(prod.dashboards * prices.dashboardMonth), 'the first three of an account are free'],
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
    ['Firewall', dollars(firewall), 'one list and one rule; on in prod by default'],
  ];
  return `## Fixed costs per month

${table(['Item', 'Cost', 'Notes'], rows)}`;
}
