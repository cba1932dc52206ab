/** Under which CloudWatch namespace a function counts, so that no two stacks share an alarm. */

import { metricNamespace } from '../contract/metrics';
import type { Setting } from './config';

export const metricNamespaceSetting: Setting<string> = {
  read: (value) => value,
  fallback: metricNamespace,
};
