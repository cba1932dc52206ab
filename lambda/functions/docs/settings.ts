/** What the docs function reads from its environment. */

import type { Settings } from '../config';
import { edgeSettings } from '../edge-settings';
import { plansSetting } from '../plans-setting';

export const settings = { PLANS: plansSetting, ...edgeSettings } as const satisfies Settings;
