/** What the renderer function reads from its environment. */

import { metricNamespaceSetting, optionalText, type Settings, text, url } from '../config';
import { providerEndpointsSetting, providerQuotasSetting } from '../stock-settings';

/** Its environment variables; the stack sets these and no others. */
export const settings = {
  IMAGE_STORE: url('s3:', 'file:'),
  CACHE_TABLE: text,
  CONTACT: text,
  PROVIDER_SECRET_ID: optionalText,
  CONTENT_SECRET_ID: optionalText,
  PROVIDER_ENDPOINTS: providerEndpointsSetting,
  PROVIDER_QUOTAS: providerQuotasSetting,
  METRIC_NAMESPACE: metricNamespaceSetting,
} as const satisfies Settings;
