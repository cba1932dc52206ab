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
      const parsedWords = parseWords(subject.query);
      return Array.from({ length: sceneCount }, (_, index) => describeScene(subject, parsedWords, index));
    },
    offerImage({ id, extra }) {
      return { kind: 'drawing', words: extra?.['words'] ?? '', seed: id };
    },
  };
}

function describeScene(subject: Subject, parsedWords: ParsedWords, index: number): Candidate {
  const { query: words } = subject;
  const title = parsedWords.shownNames.join(', ');
  const texts = { title, tags: parsedWords.shownWords, lang: 'en' };
  const description = makeDescription(index + 1, texts, subject);
  const id = hashSha256(JSON.stringify(['scene', words, index])).slice(0, 16);
  return {
    id,
    sourceUrl: `sandbox:${id}`,
    attribution: { providerName: 'Sandbox', license, creditLine: drawnCredit },
    // Only the drawn things count for the fit, by their English names and by the names in the query.
    description: {
      ...description,
      ...(parsedWords.isWhole && title !== '' && { match: { score: 1, coverage: 1 } }),
      alt:
        title === '' ? `Drawing of the words “${words.slice(0, wordsCharactersMax)}”` : `Drawing: ${title}`,
    },
    extra: { words },
  };
}
