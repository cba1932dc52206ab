/** Reads the environment of the generator. Only this function loads the schemas of generators. */

import { readGeneratorSettings } from '../../contract/generators';
import { makeJsonSetting, namespaceSetting, optionalText, requiredText } from '../../services/settings';

/** The settings of the generator. */
export const generatorSettings = {
  METRIC_NAMESPACE: namespaceSetting,
  QUOTA_COUNTERS_TABLE: requiredText,
  GENERATION_INDEX_TABLE: requiredText,
  IMAGE_STORE: requiredText,
  PROVIDER_SECRET_ID: optionalText,
  /** The generator that draws AI images, and its settings. */
  GENERATOR: makeJsonSetting(readGeneratorSettings),
} as const;
