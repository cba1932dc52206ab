/** What the docs function reads from its environment. */

import type { SettingsOf } from '../config';
import { plansSetting } from '../plans-setting';

export const settings = { PLANS: plansSetting } as const satisfies SettingsOf<'docs'>;
