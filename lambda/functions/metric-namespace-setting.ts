/** Under which CloudWatch namespace a function counts, so that no two stacks share an alarm. */

import { localMetricNamespace } from '../contract/contract';
import type { Setting } from './config';

export const metricNamespaceSetting: Setting<string> = {
  read: (value) => value,
  fallback: localMetricNamespace,
};
