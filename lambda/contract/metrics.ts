/** The service's own metrics: functions add them up and write them into their logs, the alarms read them. */

/** CloudWatch namespace of all metrics of a service without a stack; each stack has its own. */
export const metricNamespace = 'ImageRedirect';

/** Each metric with the dimensions that it is counted by, all of few values. Durations are in milliseconds. */
export const metrics = {
  /** Images answered with. */
  requests: ['source', 'cache', 'caller'],
  /** Problem documents and cards answered with. */
  refusals: ['code'],
  /** Requests answered with `internal_error`, by the name and the version of the function, which judge a new version. */
  faults: ['function', 'version'],
  /** Searches at a stock provider that failed, or were not made because the budget is used up (`kind` is `budget`). */
  providerFailures: ['provider', 'kind'],
  /** What became of the reports of used images: made, failed, dropped, and how many were handed over, put off or lost. */
  usageReports: ['provider', 'outcome'],
  /** Jobs of the renderer, and what their images are made of. */
  renditions: ['outcome', 'source'],
  generations: ['outcome'],
  /**
   * Work that was left undone because of load: requests for AI images that were refused rather than left waiting, and
   * renditions (`rendition`) for which no instance of the renderer was free.
   */
  shed: ['reason'],
  /** 80 or 100 % of one of the operator's ceilings on generations was reached; counted once each. */
  generationCeiling: [],
  /** How long the generator took to draw an image. */
  generatorLatency: ['generator'],
  /** Charges that were given back. */
  refunds: [],
  /** Charges whose outcome is unknown; the caller is served. */
  meterUnknown: [],
  /** Requests, and images of batches, that are missing in the usage of their account, because a write failed. */
  usageUncounted: [],
  /** Charges that a counter took no write for; the caller is asked to retry. */
  meterThrottled: [],
  refundFailed: [],
  /**
   * Images shown by a signer or site key: `charged`, `free` because they were paid before, or `unknown`: taken as paid
   * after a crash or a lost answer.
   */
  paidImages: ['outcome'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Name of a metric in CloudWatch. */
export type MetricName = keyof typeof metrics;

/** The dimensions of a metric, each with its value, as the rest of a call's arguments; none for a metric without. */
type Dimensions<M extends MetricName> = (typeof metrics)[M]['length'] extends 0
  ? []
  : [dimensions: Readonly<Record<(typeof metrics)[M][number], string>>];

/** One counted event: a metric and its dimensions. A misspelt or missing dimension does not compile. */
export type CountedEvent = { [M in MetricName]: [metric: M, ...Dimensions<M>] }[MetricName];

/** What an instance counts is added up, and written at most this often, in milliseconds. */
export const metricIntervalMs = 60_000;
/** An instance has at most so many events added up and not written: what it loses when it ends. */
export const metricEventsMax = 1_000;

/** Metrics whose events are written at once, with all that was added up: faults, what an alarm waits for, what costs much. */
const writtenAtOnce: ReadonlySet<MetricName> = new Set([
  'faults',
  'generations',
  'generationCeiling',
  'meterUnknown',
  'refundFailed',
]);

/** Whether an event is written at once. */
export function isWrittenAtOnce(metric: MetricName, dimensions: Readonly<Record<string, string>>): boolean {
  return writtenAtOnce.has(metric) || dimensions['code'] === 'internal_error';
}
