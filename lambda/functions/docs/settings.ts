/** What the docs function reads from its environment. */

import { edgeSettings, plansSetting } from '../api-settings';
import { optionalText, type Settings, url } from '../config';

/** Its environment variables; the stack sets these and no others. */
export const settings = {
  PLANS: plansSetting,
  CLIENT_PACKAGE_URL: url('https:', 'http:'),
  EXAMPLES_URL: url('https:', 'http:'),
  CONTENT_CERTIFICATES: optionalText,
  DEMO_KEY: optionalText,
  ...edgeSettings,
} as const satisfies Settings;
