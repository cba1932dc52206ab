/** What the generator function is told by its environment. */

import { readGeneratorSettings } from '../../adapters/generators/settings';
import { tableVariables, variables } from '../../contract/contract';
import { json, optionalText, text, url } from '../config';
import { metricNamespaceSetting } from '../metric-namespace-setting';

export const settings = {
  [tableVariables.quotaCounters]: text,
  [tableVariables.generationIndex]: text,
  [variables.imageStore]: url('s3:', 'file:'),
  [variables.generator]: json(readGeneratorSettings),
  [variables.testKeysGenerate]: optionalText,
  [variables.providerSecretId]: optionalText,
  [variables.metricNamespace]: metricNamespaceSetting,
} as const;
