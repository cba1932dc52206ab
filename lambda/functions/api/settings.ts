/** What the function behind the API reads from its environment. */

import { aiLabels, generationsPerDayMax, imageDeliveries } from '../../contract/environment';
import type { Limit } from '../../quota/limit';
import {
  isOn,
  json,
  metricNamespaceSetting,
  oneOf,
  optionalText,
  or,
  type Settings,
  text,
  url,
  wholeNumber,
} from '../config';
import {
  plansSetting,
  providerEndpointsSetting,
  providerQuotasSetting,
  siteSetting,
  slotBindingsSetting,
} from '../operator-settings';

/** What replaces the hour's limits of callers without a key; `unlimitedRequests` counts none of their requests. */
type AnonymousLimit = Partial<Pick<Limit, 'max' | 'hint'>>;

/** Its environment variables; the stack sets these and no others. */
export const settings = {
  API_KEYS_TABLE: text,
  QUOTA_COUNTERS_TABLE: text,
  IMAGES_TABLE: text,
  CACHE_TABLE: text,
  GENERATION_INDEX_TABLE: text,
  ADDRESS_SECRET_ID: text,
  SLOT_BINDINGS: slotBindingsSetting,
  IMAGE_BASE_URL: url('https:', 'http:'),
  IMAGE_STORE: url('s3:', 'file:'),
  RENDERER_FUNCTION: text,
  GENERATOR_FUNCTION: text,
  SIGNING_SECRET_ID: text,
  SIGNING_KEY_PAIR_ID: text,
  SIGNER_SECRET_ID: text,
  PROVIDER_SECRET_ID: optionalText,
  PROVIDER_ENDPOINTS: providerEndpointsSetting,
  PROVIDER_QUOTAS: providerQuotasSetting,
  CONTACT: optionalText,
  EVENT_BUS: optionalText,
  PLANS: plansSetting,
  DRAW_WITHOUT_PROVIDERS: isOn,
  ANONYMOUS_LIMIT: or(json<AnonymousLimit>(), {}),
  GENERATIONS_PER_DAY: or(wholeNumber(1, generationsPerDayMax), undefined),
  AI_LABEL: oneOf(aiLabels),
  IMAGE_DELIVERY: oneOf(imageDeliveries),
  METRIC_NAMESPACE: metricNamespaceSetting,
  CONTENT_CERTIFICATES: optionalText,
  SITE: siteSetting,
  DEMO_KEY: optionalText,
  ROOT_URL: or(url('https:', 'http:'), undefined),
} as const satisfies Settings;
