/** Stock images without a provider: scenes that the service draws itself, always the same for the same words. */

import type { Candidate } from '../../images/image';
import { sha256Hex } from '../../requests/image-request';
import type { StockProvider } from '../stock-provider';
import type { Subject } from '../understand';
import { keptFor } from './provider-settings';
import { sandboxLicense } from './wire/licences';
import { describe } from './wire/read-json';

const scenes = 8;

export function createSandbox(): StockProvider {
  return {
    name: 'sandbox',
    capability: {
      resize: 'exact',
      pageSizeMax: scenes,
      ranksByRelevance: false,
      searchFilters: [],
      unmetLicenses: [],
      queryCharactersMax: 200,
      safeSearch: true,
      hotlink: 'forbidden',
      usageTracking: false,
      allowedHosts: [],
      ...keptFor,
      quota: {},
    },
    async search({ subject }) {
      return Array.from({ length: scenes }, (_, index) => sceneOf(subject, index));
    },
    sourceFor({ id, extra }) {
      return { kind: 'draw', words: extra?.['words'] ?? '', seed: id };
    },
  };
}

function sceneOf(subject: Subject, index: number): Candidate {
  const { query: words } = subject;
  const id = sha256Hex(JSON.stringify(['scene', words, index])).slice(0, 16);
  return {
    id,
    sourceUrl: `sandbox:${id}`,
    attribution: {
      providerName: 'Sandbox',
      license: sandboxLicense,
      creditLine: 'Drawn by the service itself, CC0 1.0',
    },
    // A scene is composed of what its words name.
    description: describe(index + 1, { title: words }, subject),
    extra: { words },
  };
}
