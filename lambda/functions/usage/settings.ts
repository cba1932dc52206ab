/** What the usage function is told by its environment. */

import { tableVariables, variables } from '../../contract/contract';
import { text } from '../config';
import { metricNamespaceSetting } from '../metric-namespace-setting';
import { plansSetting } from '../plans-setting';

export const settings = {
  [tableVariables.apiKeys]: text,
  [tableVariables.quotaCounters]: text,
  [variables.plans]: plansSetting,
  [variables.metricNamespace]: metricNamespaceSetting,
} as const;
