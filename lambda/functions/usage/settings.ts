/** What the usage function reads from its environment. */

import { edgeSettings, plansSetting } from '../api-settings';
import { metricNamespaceSetting, type Settings, text } from '../config';

/** Its environment variables; the stack sets these and no others. */
export const settings = {
  API_KEYS_TABLE: text,
  QUOTA_COUNTERS_TABLE: text,
  PLANS: plansSetting,
  METRIC_NAMESPACE: metricNamespaceSetting,
  ...edgeSettings,
} as const satisfies Settings;
