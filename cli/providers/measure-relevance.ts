/** Asks a provider a few usual questions, to see how well its answers fit, within its budget. */

import { providerCheckTimeoutMs } from '../../lambda/contract/timeouts';
import { inOrder } from '../../lambda/stock/order';
import { coverageOf, isNonPhoto } from '../../lambda/stock/score';
import { ProviderFailure, type StockProvider, type TakeRequest } from '../../lambda/stock/stock-provider';
import { understand } from '../../lambda/stock/understand';
import type { RelevanceView } from './views';

/** Of every kind: objects, scenes, trades, abstract words, two senses. */
const questions = [
  'mountain lake',
  'coffee cup',
  'carpenter workshop',
  'city at night',
  'teamwork',
  'crane bird',
  'old stone bridge in autumn',
  'spring flowers',
];

/** Never throws: it ends where the budget does, and a question that fails is left out. */
export async function measureRelevance(
  provider: StockProvider,
  takeRequest: TakeRequest,
): Promise<RelevanceView> {
  const isRankedByRelevance = provider.capability.ranksByRelevance;
  let [asked, empty, nonPhotos, coverage, found] = [0, 0, 0, 0, 0];
  for (const query of questions) {
    if (!(await takeRequest())) break;
    try {
      const signal = AbortSignal.timeout(providerCheckTimeoutMs);
      const answer = await provider.search({ words: query, orientation: 'landscape' }, signal, takeRequest);
      asked += 1;
      const subject = understand(query);
      const [first] = inOrder(
        answer,
        { subject, orientation: 'landscape', avoid: [], isRankedByRelevance },
        '',
      );
      if (first) {
        found += 1;
        coverage += coverageOf(first, subject);
        nonPhotos += isNonPhoto(first, subject) ? 1 : 0;
      } else empty += 1;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      if (error.kind !== 'rejected' && error.kind !== 'malformed') break;
    }
  }
  return { asked, empty, nonPhotos, coverageAt1: found === 0 ? null : coverage / found };
}
