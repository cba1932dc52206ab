/** Work that is done after the caller has been answered, by a function of its own. */

/** One piece of such work. Plain JSON: it crosses from one function to another. */
export type BackgroundJob = UsageReport;

/** Tells a stock provider that one of its images is used; the worker calls the provider's `reportUse(url)`. */
export interface UsageReport {
  readonly kind: 'report-use';
  /** Name of the provider's adapter. */
  readonly provider: string;
  /** The provider's own URL for this report, without a key. */
  readonly url: string;
}

export interface Background {
  /**
   * Hands a job over and does not wait for it: resolves once it is accepted. It is done at least once, or dropped and
   * logged by the worker after its last attempt.
   * @throws when it was not accepted.
   */
  handOver(job: BackgroundJob): Promise<void>;
}
