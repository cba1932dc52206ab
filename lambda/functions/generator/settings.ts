/** Reads the environment of the generator. Only this function loads the schemas of generators. */

import { readGeneratorSettings } from '../../contract/generators';
import {
  makeJsonSetting,
  readMetricNamespace,
  readOptionalText,
  readRequiredText,
} from '../../services/settings';

export const generatorSettings = {
  METRIC_NAMESPACE: readMetricNamespace,
  QUOTA_COUNTERS_TABLE: readRequiredText,
  GENERATION_INDEX_TABLE: readRequiredText,
  IMAGE_STORE: readRequiredText,
  PROVIDER_SECRET_ID: readOptionalText,
  /** The generator that draws AI images, and its settings. */
  GENERATOR: makeJsonSetting(readGeneratorSettings),
} as const;
