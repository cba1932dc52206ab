/** What the usage function is told by its environment. */

import { tableVariables, variables } from '../../contract/environment';
import { type SettingsOf, text } from '../config';
import { plansSetting } from '../plans-setting';

export const settings = {
  [tableVariables.apiKeys]: text,
  [tableVariables.quotaCounters]: text,
  [variables.plans]: plansSetting,
} as const satisfies SettingsOf<'usage'>;
