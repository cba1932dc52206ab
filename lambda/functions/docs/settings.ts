/** What the docs function reads from its environment. */

import { edgeSettings, plansSetting } from '../api-settings';
import { optionalText, type Settings } from '../config';

export const settings = {
  PLANS: plansSetting,
  CONTENT_CERTIFICATES: optionalText,
  ...edgeSettings,
} as const satisfies Settings;
