/** What the generator function reads from its environment. */

import { readGeneratorSettings } from '../../contract/generators';
import { json, metricNamespaceSetting, optionalText, type Settings, text, url } from '../config';

/** Its environment variables; the stack sets these and no others. */
export const settings = {
  QUOTA_COUNTERS_TABLE: text,
  GENERATION_INDEX_TABLE: text,
  IMAGE_STORE: url('s3:', 'file:'),
  GENERATOR: json(readGeneratorSettings),
  PROVIDER_SECRET_ID: optionalText,
  METRIC_NAMESPACE: metricNamespaceSetting,
} as const satisfies Settings;
