/** Tests that an error of AWS or of the network becomes one line that says what to do. */

import { convertToFailure, createNotConfirmedFailure } from '../../cli/failure';

const makeError = (name: string, message = '', fields: object = {}) =>
  Object.assign(new Error(message), { name, ...fields });
const environment = jest.replaceProperty(process, 'env', { AWS_PROFILE: 'ops' });
afterAll(() => environment.restore());
const [failed, notFound, unreachable] = [1, 3, 5];

const denied =
  'User: arn:aws:iam::123456789012:user/ops is not authorized to perform: dynamodb:Scan on resource: table/keys-1';
const noSignIn = 'of profile ops are missing, expired or refused';

test.each<[string, number, string]>([
  [
    'AccessDeniedException AccessDenied UnauthorizedOperation NotAuthorizedException AuthorizationError OptInRequired',
    unreachable,
    'AWS does not allow it: no. Allow it for the credentials of profile ops',
  ],
  [
    'ProviderError TokenProviderError CredentialsProviderError ExpiredTokenException RequestExpired',
    unreachable,
    noSignIn,
  ],
  [
    'InvalidClientTokenId UnrecognizedClientException InvalidSignatureException SignatureDoesNotMatch IncompleteSignature MissingAuthenticationToken AuthFailure',
    unreachable,
    noSignIn,
  ],
  ['ThrottlingException ValidationException', failed, 'Exception: no.'],
  ['ResourceNotFoundException', notFound, 'is not there. Is it the right region (--region)?'],
])('the errors of AWS %s have the exit code %d', (names, exitCode, says) => {
  for (const name of names.split(' ')) {
    const { message, ...end } = convertToFailure(makeError(name, 'no\n  at x.js:1'));
    expect(end).toMatchObject({ exitCode });
    expect(message).toContain(says);
    expect(message).toMatch(/^[^\n]+$/);
  }
});

test.each<[Error, number, string]>([
  [makeError('AccessDeniedException', denied), unreachable, 'dynamodb:Scan on resource: table/keys-1. Allow'],
  [makeError('Error', 'Region is missing'), unreachable, 'AWS_REGION'],
  [makeError('AbortError'), unreachable, 'no connection: AbortError.'],
  [makeError('Error', 'getaddrinfo ENOTFOUND x.eu-west-9'), unreachable, 'ENOTFOUND'],
  [makeError('TimeoutError', 'too late'), unreachable, 'no connection: too late'],
  ...['ECONNRESET', 'ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].map(
    (code): [Error, number, string] => [
      makeError('AggregateError', '', { code }),
      unreachable,
      `no connection: ${code}.`,
    ],
  ),
  [makeError('InternalServerError', 'oops'), failed, 'InternalServerError: oops.'],
  [makeError('TypeError', 'a bug'), failed, 'TypeError: a bug'],
])('the error %s is explained in one sentence', (error, exitCode, says) => {
  expect(convertToFailure(error)).toMatchObject({ exitCode, message: expect.stringContaining(says) });
});

test('the message of a failure masks every key and secret', () => {
  const message = 'keys pk_live_abc, pk_test_abc and secret sgs_live_a-b_c of sg_live_0123 are wrong';
  const masked =
    'keys pk_live_[redacted], pk_test_[redacted] and secret sgs_live_[redacted] of sg_live_0123 are wrong';
  expect(convertToFailure(makeError('Error', message)).message).toBe(`Error: ${masked}.`);
  expect(createNotConfirmedFailure(message)).toMatchObject({ exitCode: 4, message: masked });
  expect(convertToFailure(message)).toMatchObject({ exitCode: failed, message: masked });
});
