/** The metrics of the service, which functions write into their logs and alarms read. */

/** CloudWatch namespace of a service without a stack; each stack has its own. */
export const metricNamespace = 'ImageRedirect';

/** Each metric with its dimensions, all of few values. Durations are in milliseconds. */
export const metrics = {
  /** Images answered with. */
  requests: ['source', 'cache', 'caller'],
  /** Problem documents and cards answered with. */
  refusals: ['code'],
  /** Requests answered with `internal_error`; the canary judges a new version by them. */
  faults: ['function', 'version'],
  /** Searches at a stock provider that failed, or found its budget used up (`kind` is `budget`). */
  providerFailures: ['provider', 'kind'],
  /** Reports of used images: made, failed, dropped, handed over, put off or lost. */
  usageReports: ['provider', 'outcome'],
  /** Jobs of the renderer, by the kind of source of their images. */
  renditions: ['outcome', 'source'],
  generations: ['outcome'],
  /** Requests that may not wait for an AI image, and renditions without a free instance of the renderer. */
  overloads: ['reason'],
  /** 80 or 100 % of the AI images of the operator's day are made; counted once each. */
  generationCeiling: [],
  /** Time that the generator took to draw an image. */
  generatorLatency: ['generator'],
  /** Charges that were given back. */
  refunds: [],
  /** Charges whose outcome is unknown; the caller is served. */
  chargeUnknown: [],
  /** Requests and images of batches that are missing in the usage, because a write failed. */
  usageUncounted: [],
  /** Charges that a throttled counter did not take; the caller is asked to retry. */
  chargeThrottled: [],
  refundFailed: [],
  /** Images shown by a signer or site key: `charged`, `free` if paid before, or `unknown` after a lost answer. */
  paidImages: ['outcome'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type MetricName = keyof typeof metrics;

/** The dimensions of a metric as further arguments of a call; none for a metric without. */
type Dimensions<M extends MetricName> = (typeof metrics)[M]['length'] extends 0
  ? []
  : [dimensions: Readonly<Record<(typeof metrics)[M][number], string>>];

/** A metric and its dimensions. A misspelt or missing dimension does not compile. */
export type CountedEvent = { [M in MetricName]: [metric: M, ...Dimensions<M>] }[MetricName];

/** Shortest time between two writes of an instance's sums, in milliseconds. */
export const metricIntervalMs = 60_000;
/** Most events that an instance holds unwritten: they are lost if it ends abruptly. */
export const metricEventsMax = 1_000;

/** Metrics that are written at once, with the sums so far: alarms wait for them, or they cost much. */
const writtenAtOnce: ReadonlySet<MetricName> = new Set([
  'faults',
  'generations',
  'generationCeiling',
  'chargeUnknown',
  'refundFailed',
]);

/**
 * Codes of refusals that are failures of the service, which an alarm counts. `generation_in_progress` and
 * `generation_paused` are answered with 503 too, and are none.
 */
export const failureCodes: readonly string[] = [
  'internal_error',
  'service_unavailable',
  'upstream_unavailable',
];

/** Whether an event is written at once. */
export function isWrittenAtOnce(metric: MetricName, dimensions: Readonly<Record<string, string>>): boolean {
  return writtenAtOnce.has(metric) || failureCodes.includes(dimensions['code'] ?? '');
}
