/** What is known about a slot, as it is printed with `--json`. */

import type { StockProviderName, StockSlot } from '../../lambda/contract/providers';
import type { FailureKind } from '../../lambda/stock/stock-provider';

export interface ProviderView {
  readonly provider: StockProviderName;
  /** The URL that replaces the provider's own. */
  readonly endpoint?: string;
  readonly key: KeyState;
  readonly check: Check;
  /** Empty for a provider without limits. */
  readonly budget: readonly WindowView[];
  /** With `--relevance` only. */
  readonly relevance?: RelevanceView;
  readonly breaker: BreakerView;
  /** Whether a request would be answered by it as things stand. */
  readonly serves: boolean;
}

export interface SlotView extends ProviderView {
  readonly slot: StockSlot;
}

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

export type KeyState = 'not-needed' | 'set' | 'missing' | 'unreadable';

export type Check =
  | { readonly outcome: 'works'; readonly images: number; readonly tookMs: number }
  | { readonly outcome: 'failed'; readonly kind: FailureKind; readonly retryAfterS?: number }
  | { readonly outcome: 'skipped'; readonly reason: 'not-wanted' | 'no-key' | 'no-budget' | 'circuit-open' };

export interface WindowView {
  readonly window: 'minute' | 'hour' | 'day';
  readonly limit: number;
  readonly left: number;
  readonly resetsAt: string;
}

export interface BreakerView {
  /** `half-open`: the next request is the probe. */
  readonly state: 'closed' | 'open' | 'half-open';
  /** Failures in a row. */
  readonly failures: number;
  /** When an open circuit becomes half open. */
  readonly opensAt?: string;
  readonly lastFailure?: { readonly kind: FailureKind; readonly at: string };
}
