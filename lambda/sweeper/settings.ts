/** What the sweeper is told by its environment. */

import { text, url } from '../config';
import { tableVariables, variables } from '../contract';

export const settings = {
  [tableVariables.quotaCounters]: text,
  [tableVariables.generationIndex]: text,
  [variables.imageStore]: url('s3:', 'file:'),
} as const;
