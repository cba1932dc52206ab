/** What the sweeper reads from its environment. */

import { metricNamespaceSetting, type Settings, text, url } from '../config';

/** Its environment variables; the stack sets these and no others. */
export const settings = {
  QUOTA_COUNTERS_TABLE: text,
  GENERATION_INDEX_TABLE: text,
  IMAGE_STORE: url('s3:', 'file:'),
  METRIC_NAMESPACE: metricNamespaceSetting,
} as const satisfies Settings;
