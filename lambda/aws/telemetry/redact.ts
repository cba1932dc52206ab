/** Keys, signatures and client IP addresses, and their removal from log records. */

import { hideSecrets } from '../../base/text';

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

/** Replaces secrets and addresses in a text. */
export function redactText(text: string): string {
  let safeText = hideSecrets(text);
  for (const [pattern, replacement] of secrets) safeText = safeText.replace(pattern, replacement);
  return safeText;
}

/** A replacer for `JSON.stringify`. A field with the name of a credential is redacted as a whole. */
export function redactField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return /^(authorization|x-api-key|api_key)$/i.test(name) ? '[redacted]' : redactText(value);
}
