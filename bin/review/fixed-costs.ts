/** The section of the cost sheet on what a stack costs each month, whatever it serves. */

import { dollars, table } from './markdown';
import { prices } from './prices';

/** Alarmed metrics by stage; an alarm on several metrics counts once for each. */
export const alarmMetrics = { dev: 17, prod: 24 } as const;

/** Markdown: each item with its dollars a month. */
export function fixedCosts(): string {
  const rows = [
    ['Secrets', dollars(2 * prices.secretMonth), 'two, and a third if a provider or generator needs a key'],
    [
      'Alarms',
      dollars(alarmMetrics.prod * prices.alarmMetricMonth),
      `${alarmMetrics.prod} metrics with an alarm in prod, ${alarmMetrics.dev} in dev`,
    ],
    ['Dashboard', dollars(prices.dashboardMonth), 'the first three of an account are free'],
    [
      'Tables',
      dollars(prices.tableGigabyteMonth + prices.recoveryGigabyteMonth),
      'per GB, including point-in-time recovery; 100,000 AI images or cached lookups are about 0.1 GB',
    ],
    ['Custom metrics', dollars(40 * prices.metricMonth), 'about 40 combinations of dimensions'],
    ['Firewall', dollars(prices.firewallMonth), 'one list and one rule; on in prod by default'],
  ];
  return `## Fixed costs per month

${table(['Item', 'Cost', 'Notes'], rows)}`;
}
