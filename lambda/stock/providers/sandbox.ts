/** The sandbox as a stock provider. It draws scenes, and the same words always give the same scenes. */

import { type ParsedWords, parseWords } from '@image-redirect/scene/subjects';
import { hashSha256 } from '../../base/hash';
import { drawnCredit } from '../../contract/example-images';
import type { Candidate } from '../../images/image';
import type { StockProvider } from '../stock-provider';
import type { Subject } from '../subject';
import { plainCapability } from './adapter';
import { makeDescription } from './wire/description';

const sceneCount = 8;
const license = { id: 'cc0-1.0', name: 'CC0 1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' };
const wordsCharactersMax = 80;

/** Makes the adapter of the sandbox. It has eight scenes for any words. */
export function createSandbox(): StockProvider {
  return {
    name: 'sandbox',
    capability: plainCapability,
    readQuota: async () => ({}),
    async search({ subject }) {
      const wordsReading = parseWords(subject.query);
      return Array.from({ length: sceneCount }, (_, index) => describeScene(subject, wordsReading, index));
    },
    offerImage({ id, extra }) {
      return { kind: 'drawing', words: extra?.['words'] ?? '', seed: id };
    },
  };
}

function describeScene(subject: Subject, { shown, named, isWhole }: ParsedWords, index: number): Candidate {
  const { query: words } = subject;
  const drawnThings = shown.join(', ');
  const description = makeDescription(index + 1, { title: drawnThings, tags: named, lang: 'en' }, subject);
  const id = hashSha256(JSON.stringify(['scene', words, index])).slice(0, 16);
  return {
    id,
    sourceUrl: `sandbox:${id}`,
    attribution: { providerName: 'Sandbox', license, creditLine: drawnCredit },
    // Only the drawn things count for the fit, by their English names and by the names in the query.
    description: {
      ...description,
      ...(isWhole && shown.length > 0 && { match: { score: 1, coverage: 1 } }),
      alt:
        drawnThings === ''
          ? `Drawing of the words “${words.slice(0, wordsCharactersMax)}”`
          : `Drawing: ${drawnThings}`,
    },
    extra: { words },
  };
}
