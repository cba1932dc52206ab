/** What the usage function reads from its environment. */

import { metricNamespaceSetting, type Settings, text } from '../config';
import { edgeSettings } from '../edge-settings';
import { plansSetting } from '../plans-setting';

export const settings = {
  API_KEYS_TABLE: text,
  QUOTA_COUNTERS_TABLE: text,
  PLANS: plansSetting,
  METRIC_NAMESPACE: metricNamespaceSetting,
  ...edgeSettings,
} as const satisfies Settings;
