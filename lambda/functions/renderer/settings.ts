/** What the renderer function reads from its environment. */

import { metricNamespaceSetting, optionalText, type Settings, text, url } from '../config';
import { providerEndpointsSetting } from '../operator-settings';

/** Its environment variables; the stack sets these and no others. */
export const settings = {
  IMAGE_STORE: url('s3:', 'file:'),
  CONTACT: text,
  PROVIDER_SECRET_ID: optionalText,
  CONTENT_SECRET_ID: optionalText,
  PROVIDER_ENDPOINTS: providerEndpointsSetting,
  METRIC_NAMESPACE: metricNamespaceSetting,
} as const satisfies Settings;
