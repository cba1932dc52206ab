/** Errors of AWS and of the network become one line that says what to do. */

import { explain } from '../../cli/explain';
import { exitCodes, Failure } from '../../cli/failure';

interface Thrown {
  readonly name: string;
  readonly message?: string;
  readonly code?: string;
  readonly status?: number;
}

const thrown = ({ name, message = '', code, status }: Thrown) =>
  Object.assign(new Error(message), {
    name,
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { $metadata: { httpStatusCode: status } }),
  });

const place = { region: 'eu-west-1', profile: 'ops', tables: ['keys-1', 'counters-1'] };
const { failed, notFound, unreachable } = exitCodes;

const denied =
  'User: arn:aws:iam::123456789012:user/ops is not authorized to perform: dynamodb:Scan on resource: arn:aws:dynamodb:eu-west-1:123456789012:table/keys-1 because no identity-based policy allows the dynamodb:Scan action';

/** Names or codes of errors that end alike, in one word each; how they end, and what is said. */
const alike: readonly (readonly [named: string, exitCode: number, says: (name: string) => string])[] = [
  [
    'AccessDenied NotAuthorized NotAuthorizedException AuthorizationError OptInRequired',
    unreachable,
    () => 'AWS does not allow it: no. Allow it for the credentials of profile ops',
  ],
  [
    'ProviderError TokenProviderError CredentialsProviderError',
    unreachable,
    () =>
      'No usable AWS credentials were found for profile ops: sign in again ("aws sso login --profile ops")',
  ],
  [
    'ExpiredToken ExpiredTokenException RequestExpired',
    unreachable,
    () => 'The AWS credentials of profile ops have expired: sign in',
  ],
  [
    'InvalidClientTokenId UnrecognizedClientException InvalidSignatureException SignatureDoesNotMatch IncompleteSignature MissingAuthenticationToken MissingAuthenticationTokenException AuthFailure',
    unreachable,
    (name) => `AWS does not accept the credentials of profile ops (${name})`,
  ],
  [
    'ThrottlingException Throttling TooManyRequestsException RequestLimitExceeded LimitExceededException SlowDown',
    failed,
    (name) => `AWS answered 400 in eu-west-1: ${name}: no. Run the command again`,
  ],
];
it.each(alike)('%s end with %d', (named, exitCode, says) => {
  for (const name of named.split(' ')) {
    const explanation = explain(thrown({ name, message: 'no', status: 400 }), place);
    expect(explanation).toEqual({ exitCode, message: expect.stringContaining(says(name)) });
  }
});

it.each(['ECONNRESET', 'ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])(
  '%s is no connection',
  (code) =>
    expect(explain(thrown({ name: 'AggregateError', code }))).toEqual({
      exitCode: unreachable,
      message: expect.stringContaining(`no connection: ${code}.`),
    }),
);

const cases: readonly (readonly [Thrown, number, readonly string[]])[] = [
  [
    { name: 'AccessDeniedException', message: denied, status: 400 },
    unreachable,
    ['dynamodb:Scan', 'table/keys-1.', 'profile ops'],
  ],
  [{ name: 'UnauthorizedOperation', message: 'Not in v1.2.' }, unreachable, ['Not in v1.2. Allow it']],
  [
    { name: 'AccessDenied', message: 'You are not authorized to perform: s3:ListAllMyBuckets' },
    unreachable,
    ['AWS does not allow s3:ListAllMyBuckets. Allow it'],
  ],
  [{ name: 'Error', message: 'Region is missing' }, unreachable, ['AWS_REGION']],
  [
    { name: 'ResourceNotFoundException', message: 'Requested resource not found', status: 400 },
    notFound,
    ['eu-west-1', 'keys-1 or counters-1', '--region', 'docs/operate.md'],
  ],
  [
    { name: 'ResourceNotFoundException', message: 'Secrets Manager can’t find the specified secret.' },
    notFound,
    ['A secret', 'eu-west-1'],
  ],
  [{ name: 'AbortError' }, unreachable, ['no connection: AbortError.']],
  [{ name: 'Error', message: 'getaddrinfo ENOTFOUND x.eu-west-9' }, unreachable, ['ENOTFOUND', '--region']],
  [{ name: 'TimeoutError', message: 'too late' }, unreachable, ['no connection: too late']],
  [{ name: 'InternalServerError', message: 'oops', status: 500 }, failed, ['500 in eu-west-1: Int', 'again']],
  [{ name: 'ValidationException', message: 'no\n  at x.js:1', status: 400 }, failed, ['400', ': no.\n']],
  [{ name: 'TypeError', message: 'a bug' }, failed, ['TypeError: a bug']],
];

it.each(cases)('%j ends with %d and one line', (error, exitCode, words) => {
  const explanation = explain(thrown(error), place);
  expect(explanation.exitCode).toBe(exitCode);
  for (const word of words) expect(`${explanation.message}\n`).toContain(word);
  expect(explanation.message).toMatch(/^[^\n]+$/);
});

it('takes the profile of the environment where none is named, and says nothing of one where there is none', () => {
  const { AWS_PROFILE } = process.env;
  const said = () => explain(thrown({ name: 'ExpiredToken' })).message;
  process.env['AWS_PROFILE'] = 'dev';
  expect(said()).toContain(
    'credentials of profile dev have expired: sign in again ("aws sso login --profile dev")',
  );
  delete process.env['AWS_PROFILE'];
  expect(said()).toContain('credentials have expired: sign in again ("aws sso login")');
  if (AWS_PROFILE !== undefined) process.env['AWS_PROFILE'] = AWS_PROFILE;
});

it('is as it was thrown where a command ends as expected, and of any other value its text', () => {
  expect(explain(new Failure(exitCodes.notConfirmed, 'pk_test_abc stays'))).toEqual({
    exitCode: exitCodes.notConfirmed,
    message: 'pk_test_… stays',
  });
  expect(explain('gone')).toEqual({ exitCode: failed, message: 'gone' });
});

it('masks keys, and needs no place', () => {
  const message = 'keys pk_live_abc, pk_test_abc and secret sgs_live_a-b_c of sg_live_0123 are wrong';
  expect(explain(thrown({ name: 'Error', message })).message).toBe(
    'Error: keys pk_live_…, pk_test_… and secret sgs_live_… of sg_live_0123 are wrong',
  );
  expect(explain(thrown({ name: 'ResourceNotFoundException' })).message).toMatch(
    /^A table of the service is not there\. Is it the right region \(--region\)\?/,
  );
});
