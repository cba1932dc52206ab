/** What the sweeper is told by its environment. */

import { tableVariables, variables } from '../../contract/environment';
import { type SettingsOf, text, url } from '../config';

export const settings = {
  [tableVariables.quotaCounters]: text,
  [tableVariables.generationIndex]: text,
  [variables.imageStore]: url('s3:', 'file:'),
} as const satisfies SettingsOf<'sweeper'>;
