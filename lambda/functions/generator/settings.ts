/** What the generator function is told by its environment. */

import { readGeneratorSettings } from '../../adapters/generators/settings';
import { tableVariables, variables } from '../../contract/environment';
import { json, optionalText, type SettingsOf, text, url } from '../config';

export const settings = {
  [tableVariables.quotaCounters]: text,
  [tableVariables.generationIndex]: text,
  [variables.imageStore]: url('s3:', 'file:'),
  [variables.generator]: json(readGeneratorSettings),
  [variables.testKeysGenerate]: optionalText,
  [variables.providerSecretId]: optionalText,
} as const satisfies SettingsOf<'generator'>;
