/** What the sweeper is told by its environment. */

import { tableVariables, variables } from '../../contract/contract';
import { text, url } from '../config';
import { metricNamespaceSetting } from '../metric-namespace-setting';

export const settings = {
  [tableVariables.quotaCounters]: text,
  [tableVariables.generationIndex]: text,
  [variables.imageStore]: url('s3:', 'file:'),
  [variables.metricNamespace]: metricNamespaceSetting,
} as const;
