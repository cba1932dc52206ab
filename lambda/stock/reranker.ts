/** A second opinion on how well candidates fit, such as a model that compares words with images. The service has none by default. */

import type { Candidate } from '../images/image';

export interface Reranker {
  /**
   * What to add to the score of each candidate, by its id; candidates that are left out keep their score. A whole query
   * covered counts 3, so that is the scale.
   * @throws when there is no answer; the rules alone decide then.
   */
  rerank(
    query: string,
    candidates: readonly Candidate[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>>;
}
