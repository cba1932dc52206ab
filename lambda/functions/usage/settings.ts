/** What the usage function reads from its environment. */

import { imageDeliveries } from '../../contract/environment';
import { edgeSettings, plansSetting } from '../api-settings';
import { metricNamespaceSetting, oneOf, type Settings, text, url } from '../config';

/** Its environment variables; the stack sets these and no others. */
export const settings = {
  API_KEYS_TABLE: text,
  QUOTA_COUNTERS_TABLE: text,
  STOCK_MEMORY_TABLE: text,
  IMAGE_BASE_URL: url('https:', 'http:'),
  IMAGE_DELIVERY: oneOf(imageDeliveries),
  SIGNING_SECRET_ID: text,
  SIGNING_KEY_PAIR_ID: text,
  PLANS: plansSetting,
  METRIC_NAMESPACE: metricNamespaceSetting,
  ...edgeSettings,
} as const satisfies Settings;
