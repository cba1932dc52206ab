/** What the logs and metrics of a known stock image cost: a line of the access log, and a share of a line of metrics. */

import { createMetricSums } from '../../lambda/aws/telemetry/metric-sums';
import { metricIntervalMs } from '../../lambda/contract/metrics';
import { stockSlots } from '../../lambda/contract/providers';
import { prices } from './prices';

/** What CloudWatch Logs adds to the text of each event, in bytes. */
const eventBytes = 26;

/** Requests that an instance serves in a minute with traffic: an assumption, low on purpose, as metrics are shared by them. */
const requestsPerInstanceMinute = 60;

/** Bytes of each request in the access log, in the Infrequent Access class: a line for a known stock image was measured. */
export const accessLogBytes = 326 + eventBytes;

/** Bytes of metrics of each request in the function's log, in the standard class: images of every slot, counted for a minute. */
export const metricBytes = Math.ceil(minuteOfMetrics() / requestsPerInstanceMinute);

function minuteOfMetrics(): number {
  const lines: string[] = [];
  let nowMs = Date.UTC(2026, 10, 22);
  const sums = createMetricSums({
    namespace: 'ImageRedirect-prod',
    write: (line) => lines.push(line),
    nowMs: () => nowMs,
  });
  const count = (source: string) => sums.count('requests', { source, cache: 'HIT', caller: 'anonymous' });
  count(stockSlots[0]);
  // The line of the instance's start is not of this minute.
  lines.length = 0;
  const betweenMs = metricIntervalMs / requestsPerInstanceMinute;
  for (let i = 0; i < requestsPerInstanceMinute; i++) {
    nowMs += betweenMs;
    count(stockSlots[i % stockSlots.length] as string);
  }
  return lines.reduce((bytes, line) => bytes + Buffer.byteLength(line) + eventBytes, 0);
}

/** Dollars of a request's logs and metrics. */
export const logCost =
  (accessLogBytes * prices.loggedInfrequentGigabyte + metricBytes * prices.loggedGigabyte) / 1024 ** 3;

/** What is logged, for a table. */
export const loggedText =
  `${accessLogBytes} bytes of the access log in the Infrequent Access class, and ${metricBytes} of metrics, ` +
  `added up by an instance that serves ${requestsPerInstanceMinute} requests a minute`;
