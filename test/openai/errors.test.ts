/** Tests how problems become errors of OpenAI's form. */

import { writeNoImageError, writeOpenAiError, writeProblem } from '../../lambda/openai/errors';
import type { ProblemDocument } from '../../lambda/problems/problem-document';

const makeProblem = (status: number, code: string) =>
  ({ status, code, detail: 'Why.' }) as unknown as ProblemDocument;
const parseError = ({ body }: { readonly body: string }) => JSON.parse(body).error;

test('an error names message, type, field and code', () => {
  const error = writeOpenAiError(400, { message: 'Why.', code: 'x' }, { 'Retry-After': '5' });
  expect(parseError(error)).toEqual({
    message: 'Why.',
    type: 'invalid_request_error',
    param: null,
    code: 'x',
  });
  expect(error.headers).toMatchObject({ 'Cache-Control': 'no-store', 'Retry-After': '5' });
});

test.each([
  [404, 'no_image_found', 404, 'no_image_found', 'invalid_request_error', false],
  [429, 'quota_exceeded', 429, 'quota_exceeded', 'insufficient_quota', true],
  [429, 'rate_limited', 429, 'rate_limited', 'rate_limit_error', true],
  [503, 'generation_in_progress', 503, 'generation_in_progress', 'server_error', true],
  [422, 'content_refused', 400, 'content_policy_violation', 'invalid_request_error', false],
])(
  'a call whose image is refused with %i %s gets %i %s of type %s',
  (problemStatus, problemCode, status, code, type, waits) => {
    const refused = writeNoImageError(makeProblem(problemStatus, problemCode), { RateLimit: 'r' }, 7);
    expect(refused.status).toBe(status);
    expect(parseError(refused)).toMatchObject({ code, type, message: 'Why.' });
    expect(refused.headers).toMatchObject({ RateLimit: 'r' });
    expect(refused.headers['Retry-After']).toBe(waits ? '7' : undefined);
  },
);

test('a call whose files do not load may be repeated', () => {
  const refused = writeNoImageError(undefined, {});
  expect(parseError(refused)).toMatchObject({ code: 'service_unavailable', type: 'server_error' });
  expect(refused).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
});

test('a problem document becomes an error of its first faulty parameter', () => {
  const problem = {
    ...makeProblem(400, 'invalid_parameter'),
    parameters: [{ parameter: 'n' }, { parameter: 'size' }],
  };
  const headers = { Allow: 'POST' };
  const error = writeProblem(problem as ProblemDocument, headers);
  expect(parseError(error)).toMatchObject({ param: 'n', code: 'invalid_parameter' });
  expect(error.headers).toMatchObject(headers);
});
