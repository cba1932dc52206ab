/** Errors of AWS and of the network become one line that says what to do. */

import { explain } from '../../cli/explain';
import { exitCodes } from '../../cli/failure';

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
  [{ name: 'UnauthorizedOperation', message: 'You may not.', status: 403 }, unreachable, ['You may not.']],
  [{ name: 'ExpiredTokenException', status: 400 }, unreachable, ['expired', 'aws sso login --profile ops']],
  [{ name: 'RequestExpired', status: 400 }, unreachable, ['expired']],
  [{ name: 'UnrecognizedClientException', status: 400 }, unreachable, ['does not accept', 'profile ops']],
  [{ name: 'CredentialsProviderError', message: 'none' }, unreachable, ['credentials', 'profile ops']],
  [{ name: 'Error', message: 'Region is missing' }, unreachable, ['AWS_REGION']],
  [
    { name: 'ResourceNotFoundException', message: 'Requested resource not found', status: 400 },
    notFound,
    ['eu-west-1', 'keys-1 or counters-1', '--region', 'docs/recovery.md'],
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
  [{ name: 'Unknown', message: 'Unknown', status: 503 }, failed, ['503 in eu-west-1 without', 'proxy']],
  [{ name: 'ValidationException', message: 'no\n  at x.js:1', status: 400 }, failed, ['400', ': no.']],
  [{ name: 'TypeError', message: 'a bug' }, failed, ['TypeError: a bug']],
];

it.each(cases)('%j ends with %d and one line', (error, exitCode, words) => {
  const explanation = explain(thrown(error), place);
  expect(explanation.exitCode).toBe(exitCode);
  for (const word of words) expect(explanation.message).toContain(word);
  expect(explanation.message).toMatch(/^[^\n]+$/);
});

it('masks keys, and needs no place', () => {
  expect(explain(thrown({ name: 'Error', message: 'key pk_live_abc is wrong' })).message).toBe(
    'Error: key pk_live_… is wrong',
  );
  expect(explain(thrown({ name: 'ResourceNotFoundException' })).message).toContain('--region');
});
