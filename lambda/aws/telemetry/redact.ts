/** Removes keys, signatures and client IP addresses from what is logged. */

const secrets: readonly (readonly [RegExp, string])[] = [
  [/(pk|sgs|site)_(live|test)_[\w-]+/g, '$1_$2_[redacted]'],
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

/** Replaces keys, signatures and addresses in a text. */
export function redactText(text: string): string {
  return secrets.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), text);
}

/** Redacts a value for `JSON.stringify`: parts of a text, all of a value with the name of a credential. */
export function redactField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return /^(authorization|x-api-key|api_key)$/i.test(name) ? '[redacted]' : redactText(value);
}
