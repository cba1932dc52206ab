/** Log lines are always valid JSON and never contain secrets or personal data. */

import fc from 'fast-check';
import { createLogTelemetry, redactText } from '../../../lambda/aws/telemetry/log-telemetry';
import { makeKey } from '../../../lambda/credentials/api-key';

const key = makeKey('pk', 'live', (n) => new Uint8Array(n).fill(7));

function start() {
  const lines: string[] = [];
  const telemetry = createLogTelemetry({
    functionName: 'redirect',
    write: (line) => lines.push(line),
    nowMs: () => Date.parse('2026-11-21T12:34:56.789Z'),
  });
  return { lines, telemetry, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> };
}

describe('createLogTelemetry', () => {
  test('a log record is a line of JSON with time, level, function, message and fields', () => {
    const { telemetry, lines, last } = start();
    telemetry.info('A refund went through', { requestId: 'r', units: 1 });
    expect(last()).toEqual({
      time: '2026-11-21T12:34:56.789Z',
      level: 'info',
      function: 'redirect',
      message: 'A refund went through',
      requestId: 'r',
      units: 1,
    });
    expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1);
  });

  test('of an error, a log record contains only name, message, stack and causes', () => {
    const { telemetry, last } = start();
    const cause = Object.assign(new TypeError('the socket closed'), { request: { secret: 'hunter2' } });
    telemetry.error('It failed', new Error('no answer', { cause }), { requestId: 'r' });
    expect(last()).toMatchObject({
      level: 'error',
      error: {
        name: 'Error',
        message: 'no answer',
        cause: { name: 'TypeError', message: 'the socket closed' },
      },
    });
    expect(JSON.stringify(last())).not.toContain('hunter2');
    telemetry.error('It failed', 'just a text');
    expect(last()['error']).toBe('just a text');
  });

  test('a log record contains no key in any context', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.constantFrom('api_key=', 'X-API-Key: ', '"x-api-key":"', ''),
        (a, b, name) => {
          const { telemetry, last, lines } = start();
          telemetry.error(`${a}${name}${key}${b}`, new Error(`"${name}${key}"${b}`), {
            detail: `\\${name}${key}\\`,
          });
          expect(() => last()).not.toThrow();
          expect(lines.join('')).not.toContain(key);
        },
      ),
    );
  });

  test('a log record hides a field that is a secret by its name', () => {
    const { telemetry, lines } = start();
    telemetry.info('A request', {
      'X-API-Key': 'hunter2',
      authorization: 'Bearer hunter2',
      api_key: 'hunter2',
    });
    expect(lines.join('')).not.toContain('hunter2');
  });
});

describe('redactText', () => {
  test.each([
    ['a key in a text', `refused ${key}.`, 'refused pk_live_[redacted].'],
    ['a test key', 'pk_test_abc', 'pk_test_[redacted]'],
    [
      'a key in a URL',
      `/api/image?query=a&api_key=${key}&width=1`,
      '/api/image?query=a&api_key=[redacted]&width=1',
    ],
    [
      'a signature',
      'https://c.example/p?Expires=1&Signature=a~b&Key-Pair-Id=K1',
      'https://c.example/p?Expires=1&Signature=[redacted]&Key-Pair-Id=[redacted]',
    ],
    [
      'a presigned URL',
      'X-Amz-Credential=AKIA/x&X-Amz-Signature=ab',
      'X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]',
    ],
    ["a provider's key", 'https://p.example/?key=123-abc&q=sea', 'https://p.example/?key=[redacted]&q=sea'],
    [
      'what else opens a URL',
      '?client_id=a1&token=b2&access_token=c3&policy=d4&v=1',
      '?client_id=[redacted]&token=[redacted]&access_token=[redacted]&policy=[redacted]&v=1',
    ],
    ['a signer and a site key', 'sgs_live_a-b_c site_test_1', 'sgs_live_[redacted] site_test_[redacted]'],
    ['a header', 'Authorization: Client-ID abc def', 'Authorization: [redacted]'],
    ['a header as JSON', '{"x-api-key":"abc"}', '{"x-api-key":"[redacted]"}'],
    ['an IPv4 address', 'from 203.0.113.9:443', 'from [address]:443'],
    ['an IPv6 address', 'from 2001:db8:1:2:3:4:5:6', 'from [address]'],
    ['a short IPv6 address', 'from 2001:db8::1 at', 'from [address] at'],
    ['an IPv6 network', '2001:db8:1:2::/64', '[address]/64'],
    ['a time of day', '2026-11-21T12:34:56.789Z 12:34:56', '2026-11-21T12:34:56.789Z 12:34:56'],
    [
      'an ARN',
      'arn:aws:s3:::bucket/key arn:aws:iam::123456789012:role/a',
      'arn:aws:s3:::bucket/key arn:aws:iam::123456789012:role/a',
    ],
    ['plain words', 'The table did not answer', 'The table did not answer'],
  ])('%s is logged without its secret part', (_, text, clean) => expect(redactText(text)).toBe(clean));
});
