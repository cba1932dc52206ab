/** What the docs function reads from its environment. */

import { optionalText, type Settings } from '../config';
import { edgeSettings } from '../edge-settings';
import { plansSetting } from '../plans-setting';

export const settings = {
  PLANS: plansSetting,
  CONTENT_CERTIFICATES: optionalText,
  ...edgeSettings,
} as const satisfies Settings;
