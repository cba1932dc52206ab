/** Sends a provider a few usual queries, to see how well its answers fit, within its budget. */

import { providerCheckTimeoutMs } from '../../lambda/contract/timeouts';
import { coverageOf, isNonPhoto, ranked } from '../../lambda/stock/rank';
import { ProviderFailure, type StockProvider, type TakeRequest } from '../../lambda/stock/stock-provider';
import { understand } from '../../lambda/stock/understand';

/** How well a provider's answers to a few usual queries fit. */
export interface RelevanceView {
  /** Queries that were answered. */
  readonly asked: number;
  /** Answers without an image. */
  readonly empty: number;
  /** First images that are no photograph. */
  readonly nonPhotos: number;
  /** Share of the words that the first image covers, from 0 to 1; null when nothing was found. */
  readonly coverageAt1: number | null;
}

/** Of every kind: objects, scenes, trades, abstract words, two senses. */
const queries = [
  'mountain lake',
  'coffee cup',
  'carpenter workshop',
  'city at night',
  'teamwork',
  'crane bird',
  'old stone bridge in autumn',
  'spring flowers',
];

/** Ends where the budget does, or the provider fails; a query that it rejects is left out. */
export async function measureRelevance(
  provider: StockProvider,
  takeRequest: TakeRequest,
): Promise<RelevanceView> {
  const isRankedByRelevance = provider.capability.ranksByRelevance;
  let [asked, empty, nonPhotos, coverage] = [0, 0, 0, 0];
  for (const query of queries) {
    if (!(await takeRequest())) break;
    try {
      const signal = AbortSignal.timeout(providerCheckTimeoutMs);
      const answer = await provider.search(
        { subject: understand(query), orientation: 'landscape' },
        signal,
        takeRequest,
      );
      asked += 1;
      const subject = understand(query);
      const wanted = { subject, orientation: 'landscape', avoid: [], isRankedByRelevance } as const;
      const [first] = ranked(answer, wanted);
      if (!first) empty += 1;
      else {
        coverage += coverageOf(first, subject);
        nonPhotos += isNonPhoto(first, subject) ? 1 : 0;
      }
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      if (error.kind !== 'rejected' && error.kind !== 'malformed') break;
    }
  }
  return { asked, empty, nonPhotos, coverageAt1: asked === empty ? null : coverage / (asked - empty) };
}
