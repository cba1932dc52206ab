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

const cases: readonly (readonly [Thrown, number, readonly string[]])[] = [
  [
    { name: 'AccessDeniedException', message: denied, status: 400 },
    unreachable,
    ['dynamodb:Scan', 'table/keys-1.', 'profile ops'],
  ],
  ...['AccessDenied', 'NotAuthorized', 'NotAuthorizedException', 'AuthorizationError', 'OptInRequired'].map(
    (name): (typeof cases)[number] => [
      { name, message: 'no' },
      unreachable,
      ['AWS does not allow it: no. Allow it for the credentials of profile ops'],
    ],
  ),
  ...['ProviderError', 'TokenProviderError'].map((name): (typeof cases)[number] => [
    { name },
    unreachable,
    ['No usable AWS credentials were found for profile ops', 'aws sso login --profile ops'],
  ]),
  [{ name: 'ExpiredToken' }, unreachable, ['The AWS credentials of profile ops have expired']],
  ...[
    'InvalidClientTokenId',
    'InvalidSignatureException',
    'SignatureDoesNotMatch',
    'IncompleteSignature',
    'MissingAuthenticationToken',
    'MissingAuthenticationTokenException',
    'AuthFailure',
  ].map((name): (typeof cases)[number] => [
    { name, status: 403 },
    unreachable,
    [`does not accept`, `(${name})`],
  ]),
  ...['ECONNRESET', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].map(
    (code): (typeof cases)[number] => [{ name: 'Error', code }, unreachable, [`no connection: ${code}.`]],
  ),
  [{ name: 'AbortError' }, unreachable, ['no connection: AbortError.']],
  ...[
    'ThrottlingException',
    'TooManyRequestsException',
    'RequestLimitExceeded',
    'LimitExceededException',
    'SlowDown',
  ].map((name): (typeof cases)[number] => [
    { name, message: 'slow', status: 400 },
    failed,
    [`AWS answered 400 in eu-west-1: ${name}: slow. Run the command again`],
  ]),
  [
    { name: 'UnauthorizedOperation', message: 'Not in v1.2.', status: 403 },
    unreachable,
    ['Not in v1.2. Allow it'],
  ],
  [
    { name: 'AccessDenied', message: 'You are not authorized to perform: s3:ListAllMyBuckets' },
    unreachable,
    ['AWS does not allow s3:ListAllMyBuckets. Allow it'],
  ],
  [{ name: 'ExpiredTokenException', status: 400 }, unreachable, ['expired', 'aws sso login --profile ops']],
  [{ name: 'RequestExpired', status: 400 }, unreachable, ['expired']],
  [{ name: 'UnrecognizedClientException', status: 400 }, unreachable, ['does not accept', 'profile ops']],
  [{ name: 'CredentialsProviderError', message: 'none' }, unreachable, ['credentials', 'profile ops']],
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
  [{ name: 'AggregateError', code: 'ECONNREFUSED' }, unreachable, ['no connection: ECONNREFUSED']],
  [{ name: 'Error', message: 'getaddrinfo ENOTFOUND x.eu-west-9' }, unreachable, ['ENOTFOUND', '--region']],
  [{ name: 'TimeoutError', message: 'too late' }, unreachable, ['no connection: too late']],
  [{ name: 'Throttling', message: 'Rate exceeded', status: 400 }, failed, ['Rate exceeded. Run', 'again']],
  [{ name: 'InternalServerError', message: 'oops', status: 500 }, failed, ['500 in eu-west-1: Int', 'again']],
  [{ name: 'Unknown', message: 'Unknown', status: 503 }, failed, ['503 in eu-west-1: Unknown', 'again']],
  [{ name: 'ValidationException', message: 'no\n  at x.js:1', status: 400 }, failed, ['400', ': no.\n']],
  [
    { name: 'ValidationException', message: 'not a.b.', status: 499 },
    failed,
    ['AWS answered 499 in eu-west-1: ValidationException: not a.b.\n'],
  ],
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
