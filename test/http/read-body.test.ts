/** A body is read by its length in bytes, its encoding and its type. A known document is not sent again. */

import { makeCacheableResponse } from '../../lambda/http/http-response';
import { readJsonBody, readReceived, readTextBody } from '../../lambda/http/read-body';

const send = (text: string | null, type = 'application/json', isBase64 = false) => ({
  body: { text, isBase64 },
  getHeader: (name: string) => (name === 'content-type' ? type : undefined),
});
const encode = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64');

describe('readTextBody and readJsonBody', () => {
  test.each([
    ['of as many bytes as it may have', send('abcé'), { text: 'abcé' }],
    ['of one more', send('abcdé'), { refusal: { code: 'content_too_large' } }],
    ['in base64', send(encode('abcde'), '', true), { text: 'abcde' }],
    ['of one more in base64', send(encode('abcdef'), '', true), { refusal: { code: 'content_too_large' } }],
    ['that is absent', send(null), { text: '' }],
    ['that is no UTF-8', send(encode('\xff'), '', true), { refusal: { code: 'invalid_parameter' } }],
  ])('a body %s is read or refused', (_, request, expected) =>
    expect(readTextBody(request, 5)).toMatchObject(expected),
  );

  test.each([
    ['application/json', '{"a":1}', { json: { a: 1 } }],
    ['Application/JSON; charset=utf-8', '\ufeff{"a":1}', { json: { a: 1 } }],
    ['application/jsonp', '{}', { refusal: { code: 'unsupported_media_type' } }],
    ['text/plain', '{}', { refusal: { code: 'unsupported_media_type' } }],
    ['application/json', '{', { refusal: { code: 'invalid_parameter' } }],
  ])('a body of type %s with the text %s is read or refused', (type, text, expected) =>
    expect(readJsonBody(send(text, type), 100)).toMatchObject(expected),
  );
});

test('a fault of JSON with 20,000 levels names no received value', () =>
  expect(readReceived(JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)), [])).toEqual({}));

test.each([
  [undefined, 200],
  ['"other"', 200],
  ['"tag"', 304],
  ['W/"other", "tag"', 304],
  [' * ', 304],
])('If-None-Match: %s is answered with the status %d', (given, status) => {
  const content = { body: 'text', etag: '"tag"', headers: { 'Content-Type': 'text/plain' } };
  const answer = makeCacheableResponse(content, () => given, 300);
  expect(answer).toMatchObject({
    ...{ status, body: status === 200 ? 'text' : '' },
    headers: { ETag: '"tag"', 'Cache-Control': 'public, max-age=300' },
  });
});
