/** Measures how well the first image fits, for two orders of the same answers: the provider's own, and the service's. */

import { ranked } from '../../lambda/stock/rank';
import { understand } from '../../lambda/stock/understand';
import { type GradedQuery, readGradedQueries } from './graded-queries';
import {
  answerOf,
  type GradedCandidate,
  type MeasuredProvider,
  measuredProviders,
  rankingProviders,
} from './provider-answers';

/** Grade from which an image counts as fitting. */
const fittingGrade = 2;

/** How well the images of all queries fit in one order. */
export interface Relevance {
  /** Share of queries whose first image fits (grade 2 or 3), from 0 to 1. */
  readonly precisionAt1: number;
  /** Normalised discounted cumulative gain of the first three, from 0 to 1. */
  readonly ndcgAt3: number;
  /** Queries whose first image is no photograph though the answer has one. */
  readonly nonPhotos: number;
}

/** The two orders of the answers of one provider. */
export interface MeasuredOrders {
  readonly provider: MeasuredProvider;
  readonly providersOwn: Relevance;
  readonly ours: Relevance;
}

type Order = (answer: readonly GradedCandidate[], query: string) => readonly GradedCandidate[];

/** Measures every provider; the same queries give the same figures. */
export function measureRelevance(
  queries: readonly GradedQuery[] = readGradedQueries(),
): readonly MeasuredOrders[] {
  return measuredProviders.map((provider) => {
    const answers = queries.map((graded) => ({
      query: graded.query,
      answer: answerOf(provider, graded, queries),
    }));
    const isRankedByRelevance = rankingProviders.includes(provider);
    const relevanceOf = (order: Order) =>
      meanOf(answers.map(({ query, answer }) => relevanceIn(order(answer, query))));
    return {
      provider,
      providersOwn: relevanceOf((answer) => answer),
      ours: relevanceOf((answer, query) =>
        ranked(answer, {
          subject: understand(query),
          orientation: 'landscape',
          avoid: [],
          isRankedByRelevance,
        }),
      ),
    };
  });
}

function relevanceIn(ordered: readonly GradedCandidate[]): Relevance {
  const [first] = ordered;
  const grades = ordered.map(({ grade }) => grade);
  const ideal = gainOf([...grades].sort((a, b) => b - a));
  return {
    precisionAt1: (first?.grade ?? 0) >= fittingGrade ? 1 : 0,
    ndcgAt3: ideal === 0 ? 0 : gainOf(grades) / ideal,
    nonPhotos: first?.isNonPhoto && ordered.some((each) => !each.isNonPhoto) ? 1 : 0,
  };
}

function gainOf(grades: readonly number[]): number {
  return grades.slice(0, 3).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}

function meanOf(measured: readonly Relevance[]): Relevance {
  const sum = (value: (each: Relevance) => number) => measured.reduce((all, each) => all + value(each), 0);
  return {
    precisionAt1: sum(({ precisionAt1 }) => precisionAt1) / measured.length,
    ndcgAt3: sum(({ ndcgAt3 }) => ndcgAt3) / measured.length,
    nonPhotos: sum(({ nonPhotos }) => nonPhotos),
  };
}
