/** The metrics of the service. Functions write them into their logs, alarms read them. */

/** The CloudWatch namespace of a service without a stack. Each stack has another one. */
export const metricNamespace = 'ImageRedirect';

/** Each metric with its dimensions, all of few values. Durations are in milliseconds. */
export const metrics = {
  /** Images that were served. */
  requests: ['source', 'cache', 'caller'],
  /** Requests that were refused, except by a test value. A batch counts here if it is refused as a whole. */
  refusals: ['code'],
  /** Images of batches that were refused. */
  refusedImages: ['code'],
  /** Requests answered with `internal_error`. The canary judges a new version by them. */
  faults: ['function', 'version'],
  /** Failed requests to a stock provider. `kind` is `budget` when the budget was used up. */
  providerFailures: ['provider', 'kind'],
  /** Reports of used images to providers: made, failed, dropped, handed over, put off or lost. */
  usageReports: ['provider', 'outcome'],
  /** Jobs of the renderer. */
  renditions: ['outcome', 'source'],
  generations: ['outcome'],
  /** Requests without a place to wait for an AI image, and renditions without a free renderer. */
  overloads: ['reason'],
  /** Counts once when 80 % of the operator's AI images of a day are made, and once at 100 %. */
  generationCeiling: [],
  /** Time that the generator took to draw an image. */
  generatorLatency: ['generator'],
  /** Charges that were given back. */
  refunds: [],
  /** Charges with an unknown outcome. The caller is served. */
  chargeUnknown: [],
  /** Requests and images of batches that the usage lacks because a write failed. */
  usageUncounted: [],
  /** Charges that a throttled counter did not take. The caller is asked to retry. */
  chargeThrottled: [],
  refundFailed: [],
  /** Images that a signer or site key showed. `free` means paid before, `unknown` a lost answer. */
  paidImages: ['outcome'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type MetricName = keyof typeof metrics;

/** The dimensions of a metric as an argument of a call. A metric without dimensions has no argument. */
type Dimensions<M extends MetricName> = (typeof metrics)[M]['length'] extends 0
  ? []
  : [dimensions: Readonly<Record<(typeof metrics)[M][number], string>>];

/** A metric and its dimensions. A misspelt or missing dimension does not compile. */
export type CountedEvent = { [M in MetricName]: [metric: M, ...Dimensions<M>] }[MetricName];

/** Shortest time between two writes of an instance's sums, in milliseconds. */
export const metricIntervalMs = 60_000;
/** Most events that an instance holds unwritten. They are lost if it ends abruptly. */
export const metricEventsMax = 1_000;

/** Metrics that are written at once. Alarms wait for them, or a loss would cost much. */
const writtenAtOnce: ReadonlySet<MetricName> = new Set([
  'faults',
  'generations',
  'generationCeiling',
  'chargeUnknown',
  'refundFailed',
]);

/**
 * Codes of refusals that are failures of the service. An alarm counts them. `generation_in_progress` and
 * `generation_paused` also have status 503, but are no failures.
 */
export const failureCodes: readonly string[] = [
  'internal_error',
  'service_unavailable',
  'upstream_unavailable',
];

/** Says whether an event is written at once: an alarm waits for it. */
export function isWrittenAtOnce(metric: MetricName, dimensions: Readonly<Record<string, string>>): boolean {
  return writtenAtOnce.has(metric) || failureCodes.includes(dimensions['code'] ?? '');
}
