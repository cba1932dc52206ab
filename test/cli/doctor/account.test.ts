/** What the doctor reads of an account: where it asks, and what it makes of AWS's answers. */

import { awsAccount } from '../../../cli/doctor/account';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

type Account = ReturnType<typeof awsAccount>;

let aws: Loopback;
/** Region and service that each request was signed for. */
let asked: string[];
/** Answers by operation, or by the last part of a path; `{}` to any other. An error has its `__type`. */
let answers: Readonly<Record<string, object>>;
const { env } = process;

beforeAll(async () => {
  aws = await listenOnLoopback((request, response) => {
    asked.push(/Credential=[^/]+\/\d+\/([\w-]+\/\w+)/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    const path = new URL(request.url ?? '', 'http://aws').pathname;
    const target = String(request.headers['x-amz-target'] ?? path.replace(/\/$/, ''));
    const answer = answers[/\w+(?:-\w+)*$/.exec(target)?.[0] ?? ''] ?? {};
    response.writeHead('__type' in answer ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answer));
  });
  process.env = { ...env, AWS_ENDPOINT_URL: aws.address, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
});
beforeEach(() => {
  [asked, answers] = [[], {}];
});
afterAll(async () => {
  process.env = env;
  await aws.stop();
});

const account = () => awsAccount('eu-west-3');
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/1';

it.each<[string, (account: Account) => Promise<unknown>, string]>([
  ['the executions of the stack', (from) => from.functionLimits(), 'eu-west-3/lambda'],
  ['a certificate', (from) => from.certificate(certificate), 'us-east-1/acm'],
  ['access to a model', (from) => from.modelAvailability('a.model', 'us-west-2'), 'us-west-2/bedrock'],
  ['the end of a model', (from) => from.modelLifecycle('a.model', 'us-west-2', 0), 'us-west-2/bedrock'],
])('reads %s where it is', async (_, read, place) => {
  await read(account());
  expect(asked).toEqual([place]);
});

const limits = { AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 900 } };
const DomainName = 'img.example.org';
const issued = { Status: 'ISSUED', DomainName, SubjectAlternativeNames: ['*.example.com'] };
const available = { agreementAvailability: { status: 'AVAILABLE' }, entitlementAvailability: 'AVAILABLE' };
const may = { authorizationStatus: 'AUTHORIZED', regionAvailability: 'AVAILABLE' };
const backups = (PointInTimeRecoveryStatus: string) => ({
  ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus } },
});
const expiry = (TimeToLiveStatus: string) => ({ TimeToLiveDescription: { TimeToLiveStatus } });
const absent = { __type: 'ResourceNotFoundException' };

it.each<[string, (account: Account) => Promise<unknown>, typeof answers, unknown]>([
  [
    'executions',
    (from) => from.functionLimits(),
    { 'account-settings': limits },
    { concurrent: 1_000, unreserved: 900 },
  ],
  ['the role for logs', (from) => from.gatewayLogRole(), { account: { cloudwatchRoleArn: 'arn' } }, 'arn'],
  ['no role for logs', (from) => from.gatewayLogRole(), { account: { cloudwatchRoleArn: '' } }, undefined],
  [
    'the throttle',
    (from) => from.gatewayThrottle(),
    { account: { throttleSettings: { rateLimit: 10_000, burstLimit: 5_000 } } },
    { perSecond: 10_000, burst: 5_000 },
  ],
  ['an event bus', (from) => from.hasEventBus('ours'), {}, true],
  ['no event bus', (from) => from.hasEventBus('ours'), { DescribeEventBus: absent }, false],
  [
    'a certificate',
    (from) => from.certificate(certificate),
    { DescribeCertificate: { Certificate: { ...issued, NotAfter: 1_800_000_000 } } },
    { status: 'ISSUED', names: [DomainName, '*.example.com'], endsMs: 1_800_000_000_000 },
  ],
  ['no certificate', (from) => from.certificate(certificate), { DescribeCertificate: absent }, undefined],
  [
    'a table that is safe',
    (from) => from.tableSafety('t'),
    {
      DescribeTable: { Table: { DeletionProtectionEnabled: true } },
      DescribeContinuousBackups: backups('ENABLED'),
      DescribeTimeToLive: expiry('ENABLING'),
    },
    { isProtected: true, isRecoverable: true, expires: true },
  ],
  [
    'a table that is not',
    (from) => from.tableSafety('t'),
    { DescribeContinuousBackups: backups('DISABLED'), DescribeTimeToLive: expiry('DISABLED') },
    { isProtected: false, isRecoverable: false, expires: false },
  ],
  [
    'a model whose agreement is missing',
    (from) => from.modelAvailability('m', 'us-west-2'),
    { m: { ...available, ...may, agreementAvailability: { status: 'NOT_AVAILABLE' } } },
    { isAuthorized: true, isInRegion: true, isEntitled: true, isAgreed: false },
  ],
  [
    'a model that is refused',
    (from) => from.modelAvailability('m', 'us-west-2'),
    { m: { ...available, authorizationStatus: 'NOT_AUTHORIZED', regionAvailability: 'NOT_AVAILABLE' } },
    { isAuthorized: false, isInRegion: false, isEntitled: true, isAgreed: true },
  ],
  [
    'a schedule',
    (from) => from.rule('r'),
    { DescribeRule: { State: 'ENABLED' }, ListTargetsByRule: { Targets: [{ Id: '1', Arn: 'arn' }] } },
    { isEnabled: true, targets: 1 },
  ],
  [
    'a schedule that is off',
    (from) => from.rule('r'),
    { DescribeRule: { State: 'DISABLED' } },
    { isEnabled: false, targets: 0 },
  ],
  [
    'variables',
    (from) => from.functionVariables('f'),
    { configuration: { Environment: { Variables: { A: 'b' } } } },
    { A: 'b' },
  ],
  [
    'a secret',
    (from) => from.secret('s'),
    { GetSecretValue: { SecretString: 'x' } },
    { isBeingDeleted: false, value: 'x' },
  ],
  ['an empty secret', (from) => from.secret('s'), { GetSecretValue: absent }, { isBeingDeleted: false }],
  [
    'a secret that goes',
    (from) => from.secret('s'),
    { DescribeSecret: { DeletedDate: 1 }, GetSecretValue: { SecretString: 'x' } },
    { isBeingDeleted: true },
  ],
])('finds %s', async (_, read, given, found) => {
  answers = given;
  expect(await read(account())).toEqual(found);
});

it.each<[string, (account: Account) => Promise<unknown>, string]>([
  ['an event bus', (from) => from.hasEventBus('ours'), 'DescribeEventBus'],
  ['a certificate', (from) => from.certificate(certificate), 'DescribeCertificate'],
  ['a secret', (from) => from.secret('s'), 'GetSecretValue'],
])('takes %s that may not be read for no absent one', async (_, read, operation) => {
  answers = { [operation]: { __type: 'AccessDeniedException' } };
  await expect(read(account())).rejects.toThrow();
});
