/** Writes telemetry to the log of a function: records as lines of JSON, metrics as sums. */

import type { Fields, Telemetry } from '../../base/telemetry';
import { hideSecrets } from '../../base/text';
import { metricNamespace } from '../../contract/metrics';
import { createMetricSums } from './metric-sums';

interface LogTelemetryOptions {
  /** Name of the function, in every log record. */
  readonly functionName: string;
  /** The CloudWatch namespace of all metrics. Each stack has another one. */
  readonly namespace?: string;
  /** Takes a line with its line break. */
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

export interface LogTelemetry extends Telemetry {
  /** Writes the sums. It is called at the end of a process. */
  flush(): void;
}

/** Creates telemetry. It redacts each record and writes it at once; `createMetricSums` writes the metrics. */
export function createLogTelemetry(options: LogTelemetryOptions): LogTelemetry {
  const { functionName, namespace = metricNamespace, write, nowMs } = options;
  const log = (level: 'info' | 'error', message: string, fields: Fields | undefined, error?: unknown) => {
    const record = {
      time: new Date(nowMs()).toISOString(),
      level,
      function: functionName,
      message,
      ...fields,
      ...(error === undefined ? {} : { error: makeErrorRecord(error) }),
    };
    write(`${JSON.stringify(record, redactField)}\n`);
  };
  const sums = createMetricSums(namespace, write, nowMs);
  return {
    info: (message, fields) => log('info', message, fields),
    error: (message, error, fields) => log('error', message, fields, error),
    ...sums,
  };
}

/** Makes a record of name, message and stack of an error and its causes. Other fields may hold a request. */
function makeErrorRecord(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: makeErrorRecord(cause) }) };
}

/** Patterns of secrets other than keys, each with its replacement. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [
    /\b(api_key|key|client_id|access_token|token|signature|policy|key-pair-id|x-amz-[a-z-]{1,20})=[^&\s"']+/gi,
    '$1=[redacted]',
  ],
  [/\b(authorization|x-api-key)(["']?\s*[:=]\s*["']?)[^"',\n}]+/gi, '$1$2[redacted]'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, '[address]'],
  // IPv6 in full, or with at least two groups before the gap: `12:30:00` is a time of day.
  [/(?<![0-9a-z:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![0-9a-z:])/gi, '[address]'],
  [
    /(?<![0-9a-z:])(?:[0-9a-f]{1,4}:){2,7}(?::[0-9a-f]{1,4}){0,6}:?(?<=::|::.{1,45})(?![0-9a-z])/gi,
    '[address]',
  ],
];

/** Redacts secrets and addresses in a text. */
export function redactText(text: string): string {
  let safeText = hideSecrets(text);
  for (const [pattern, replacement] of secrets) safeText = safeText.replace(pattern, replacement);
  return safeText;
}

/** Redacts a field for `JSON.stringify`. A field with the name of a credential is redacted as a whole. */
function redactField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return /^(authorization|x-api-key|api_key)$/i.test(name) ? '[redacted]' : redactText(value);
}
