/** What the docs function is told by its environment. */

import { variables } from '../../contract/environment';
import type { SettingsOf } from '../config';
import { plansSetting } from '../plans-setting';

export const settings = { [variables.plans]: plansSetting } as const satisfies SettingsOf<'docs'>;
