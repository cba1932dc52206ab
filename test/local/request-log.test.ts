/** Tests the log for people: one line for each request and each error. */

import { unreachedMessage } from '../../lambda/stock/stock-services';
import { createErrorLog, writeRequestLine } from '../../local/request-log';

const redirect = {
  statusCode: 302,
  headers: { 'X-Cache': 'HIT' },
  body: JSON.stringify({ url: 'https://a.example', attribution: { providerName: 'Openverse' } }),
};

test.each([
  [
    '/api/image/300x200-a/b.webp?api_key=pk_live_secret',
    redirect,
    '302 HIT 42 ms GET /api/image/300x200-a/b.webp · openverse',
  ],
  ['/api/image?q=lake&w=1200&h=800', redirect, '302 HIT 42 ms GET /api/image lake · openverse'],
  [
    '/api/image?query=sea&api_key=pk_live_secret',
    { statusCode: 401, headers: {}, body: '{"code":"invalid_api_key"}' },
    '401 42 ms GET /api/image sea · invalid_api_key',
  ],
  [
    '/api/image/300x200-sea',
    { statusCode: 429, headers: { 'X-Image-Fallback': 'rate_limited' }, body: '<svg/>' },
    '429 42 ms GET /api/image/300x200-sea · rate_limited',
  ],
])('the log for people has one line for the request %s', (target, result, line) => {
  expect(writeRequestLine('GET', target, result, 41.8)).toBe(line);
});

const failed = {
  level: 'error',
  function: 'api',
  message: 'A request failed',
  error: { message: 'It burns' },
};

test('the log for people has only the errors of functions', () => {
  const writeLine = createErrorLog(false);
  expect(writeLine(JSON.stringify(failed))).toBe('error api: A request failed: It burns\n');
  expect(writeLine(JSON.stringify({ ...failed, level: 'info' }))).toBe('');
  expect(writeLine(JSON.stringify({ ...failed, kind: 'unavailable' }))).not.toBe('');
  for (const record of ['{"_aws":{}}', 'no JSON']) expect(writeLine(record)).toBe('');
});

test('the log for people says once that no provider is reached', () => {
  const writeLine = createErrorLog(true);
  const records = [
    { ...failed, kind: 'unavailable' },
    { level: 'info', message: unreachedMessage },
  ];
  const lines = [...records, ...records].map((record) => writeLine(JSON.stringify(record)));
  expect(lines).toEqual(['', expect.stringContaining('No photo provider is reached'), '', '']);
});
