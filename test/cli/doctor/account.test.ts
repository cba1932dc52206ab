/** What the doctor reads of an account: where it asks, and what it makes of AWS's answers. */

import { awsAccount } from '../../../cli/doctor/account';
import { reachAwsAt } from '../../fakes/aws-environment';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

type Account = ReturnType<typeof awsAccount>;

let aws: Loopback;
/** Region and service that each request was signed for. */
let asked: string[];
let bodies: string[];
/** JSON, or XML as a text. An error has its `__type`, or its `Code`. */
type Answer = object | string;
/** Answers by operation, or by the last part of a path; `{}` to any other. Those of a list are given one after the other. */
let answers: Readonly<Record<string, Answer | readonly string[]>>;
let leaveAws: () => void;

beforeAll(async () => {
  aws = await listenOnLoopback(async (request, response) => {
    asked.push(/Credential=[^/]+\/\d+\/([\w-]+\/\w+)/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    const path = new URL(request.url ?? '', 'http://aws').pathname;
    const body = Buffer.concat(await request.toArray()).toString();
    bodies.push(body);
    const action = /Action=(\w+)/.exec(body)?.[1];
    const target = String(request.headers['x-amz-target'] ?? action ?? path.replace(/\/$/, ''));
    const given = answers[/\w+(?:-\w+)*$/.exec(target)?.[0] ?? ''] ?? {};
    const answer: Answer = Array.isArray(given) ? given.shift() : given;
    const isXml = typeof answer === 'string';
    const text = isXml ? answer : JSON.stringify(answer);
    const isError = /"__type"|<Code>/.test(text);
    response.writeHead(isError ? 400 : 200, {
      'Content-Type': isXml ? 'text/xml' : 'application/x-amz-json-1.1',
    });
    response.end(text);
  });
  leaveAws = reachAwsAt(aws.address);
});
beforeEach(() => {
  [asked, bodies, answers] = [[], [], {}];
});
afterAll(async () => {
  leaveAws();
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
const denied = { __type: 'AccessDeniedException' };
const caller = '<G><GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult></G>';
const refusal = (code: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code></Error></ErrorResponse>`;
const listOf = (member: string, content: string) => `<L><Items><${member}>${content}</${member}></Items></L>`;
const resourcePage = (id: string, more = '') =>
  `<L><ListStackResourcesResult><StackResourceSummaries><member><ResourceType>AWS::S3::Bucket</ResourceType><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>of ${id}</PhysicalResourceId></member></StackResourceSummaries>${more}</ListStackResourcesResult></L>`;
const subscriptions = (arns: readonly string[], more = '') =>
  `<L><ListSubscriptionsByTopicResult><Subscriptions>${arns.map((arn) => `<member><SubscriptionArn>${arn}</SubscriptionArn></member>`).join('')}</Subscriptions>${more}</ListSubscriptionsByTopicResult></L>`;

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
    'a table whose items expire',
    (from) => from.tableSafety('t'),
    { DescribeTimeToLive: expiry('ENABLED') },
    { isProtected: false, isRecoverable: false, expires: true },
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
    'a model that the account is not entitled to',
    (from) => from.modelAvailability('m', 'us-west-2'),
    { m: { ...available, ...may, entitlementAvailability: 'NOT_AVAILABLE' } },
    { isAuthorized: true, isInRegion: true, isEntitled: false, isAgreed: true },
  ],
  [
    'alarms, with what they notify',
    (from) => from.alarms(['a', 'b']),
    {
      DescribeAlarms: {
        MetricAlarms: [
          { AlarmName: 'a', ActionsEnabled: false, AlarmActions: ['arn'], OKActions: ['other'] },
          { AlarmName: 'b', ActionsEnabled: true },
        ],
      },
    },
    [
      { name: 'a', isEnabled: false, actions: ['arn'] },
      { name: 'b', isEnabled: true, actions: [] },
    ],
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
  ['the account', (from) => from.accountId(), { GetCallerIdentity: caller }, '123456789012'],
  [
    'a role that may be assumed',
    (from) => from.mayAssume('arn'),
    { AssumeRole: '<A><AssumeRoleResult/></A>' },
    true,
  ],
  ['a role that may not', (from) => from.mayAssume('arn'), { AssumeRole: refusal('AccessDenied') }, false],
  [
    'a zone, and the records of the name alone',
    (from) => from.hostedZone('Z1', 'a.example.org'),
    {
      Z1: '<G><HostedZone><Name>example.org.</Name></HostedZone></G>',
      rrset: `<L><ResourceRecordSets>${['a', 'a', 'b'].map((name, i) => `<ResourceRecordSet><Name>${name}.example.org.</Name><Type>${['A', 'TXT', 'MX'][i]}</Type></ResourceRecordSet>`).join('')}</ResourceRecordSets></L>`,
    },
    { name: 'example.org.', records: ['A', 'TXT'] },
  ],
  ['no zone', (from) => from.hostedZone('Z1', 'a'), { Z1: refusal('NoSuchHostedZone') }, undefined],
  [
    'a distribution',
    (from) => from.hasDistributions(),
    { distribution: listOf('DistributionSummary', '<Id>E</Id>') },
    true,
  ],
  [
    'no distribution',
    (from) => from.hasDistributions(),
    { distribution: '<D><Quantity>0</Quantity></D>' },
    false,
  ],
  [
    'the names of CloudFront by their kinds',
    (from) => from.cdnNames(),
    {
      'key-group': listOf(
        'KeyGroupSummary',
        '<KeyGroup><KeyGroupConfig><Name>1</Name></KeyGroupConfig></KeyGroup>',
      ),
      'public-key': listOf('PublicKeySummary', '<Name>2</Name>'),
      'origin-access-control': listOf('OriginAccessControlSummary', '<Name>3</Name>'),
      'response-headers-policy': listOf(
        'ResponseHeadersPolicySummary',
        '<ResponseHeadersPolicy><ResponseHeadersPolicyConfig><Name>4</Name></ResponseHeadersPolicyConfig></ResponseHeadersPolicy>',
      ),
      'cache-policy': listOf(
        'CachePolicySummary',
        '<CachePolicy><CachePolicyConfig><Name>5</Name></CachePolicyConfig></CachePolicy>',
      ),
      'origin-request-policy': listOf(
        'OriginRequestPolicySummary',
        '<OriginRequestPolicy><OriginRequestPolicyConfig><Name>6</Name></OriginRequestPolicyConfig></OriginRequestPolicy>',
      ),
      function: listOf('FunctionSummary', '<Name>7</Name>'),
    },
    [
      { kind: 'key group', name: '1' },
      { kind: 'public key', name: '2' },
      { kind: 'access control', name: '3' },
      { kind: 'header policy', name: '4' },
      { kind: 'cache policy', name: '5' },
      { kind: 'request policy', name: '6' },
      { kind: 'function', name: '7' },
    ],
  ],
  [
    'the resources of all pages',
    (from) => from.resources('s'),
    { ListStackResources: [resourcePage('A', '<NextToken>n</NextToken>'), resourcePage('B')] },
    ['A', 'B'].map((id) => ({ type: 'AWS::S3::Bucket', logicalId: id, physicalId: `of ${id}` })),
  ],
  [
    'a topic, with the subscriptions of all pages',
    (from) => from.topic('arn'),
    {
      GetTopicAttributes: `<G><GetTopicAttributesResult><Attributes><entry><key>Policy</key><value>{"a":1}</value></entry></Attributes></GetTopicAttributesResult></G>`,
      ListSubscriptionsByTopic: [
        subscriptions(['arn:aws:sns:1', 'PendingConfirmation'], '<NextToken>n</NextToken>'),
        subscriptions(['arn:aws:sns:2']),
      ],
    },
    { policy: '{"a":1}', confirmed: 2, pending: 1 },
  ],
])('finds %s', async (_, read, given, found) => {
  answers = given;
  expect(await read(account())).toEqual(found);
});

/** What a request asks with, as JSON or as a query. */
const inputOf = (text: string): object =>
  text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));

it.each<[string, (account: Account) => Promise<unknown>, readonly object[]]>([
  ['alarms, all at once', (from) => from.alarms(['a', 'b']), [{ AlarmNames: ['a', 'b'], MaxRecords: 100 }]],
  ['a role', (from) => from.mayAssume('arn'), [{ RoleArn: 'arn', DurationSeconds: '900' }]],
  ['an event bus', (from) => from.hasEventBus('ours'), [{ Name: 'ours' }]],
  ['a table', (from) => from.tableSafety('t'), Array(3).fill({ TableName: 't' })],
  ['a certificate', (from) => from.certificate(certificate), [{ CertificateArn: certificate }]],
  ['a stack', (from) => from.stack('s'), [{ StackName: 's' }]],
  ['resources', (from) => from.resources('s'), [{ StackName: 's' }]],
  ['a topic', (from) => from.topic('arn'), Array(2).fill({ TopicArn: 'arn' })],
  ['a secret', (from) => from.secret('s'), Array(2).fill({ SecretId: 's' })],
])('asks for %s by name', async (_, read, wanted) => {
  answers = {
    AssumeRole: '<A/>',
    DescribeStacks: '<D/>',
    ListStackResources: ['<L/>'],
    GetTopicAttributes: '<G/>',
    ListSubscriptionsByTopic: ['<L/>'],
  };
  await read(account());
  expect(bodies).toHaveLength(wanted.length);
  expect(bodies.map(inputOf)).toEqual(expect.arrayContaining(wanted.map(expect.objectContaining)));
});

it.each<[string, (account: Account) => Promise<unknown>, string, Answer]>([
  ['an event bus', (from) => from.hasEventBus('ours'), 'DescribeEventBus', denied],
  ['a certificate', (from) => from.certificate(certificate), 'DescribeCertificate', denied],
  ['a secret', (from) => from.secret('s'), 'GetSecretValue', denied],
  ['a role', (from) => from.mayAssume('arn'), 'AssumeRole', refusal('ExpiredToken')],
  ['a zone', (from) => from.hostedZone('Z1', 'a'), 'Z1', refusal('AccessDenied')],
])('takes %s that may not be read for no absent one', async (_, read, operation, refused) => {
  answers = { [operation]: refused };
  await expect(read(account())).rejects.toThrow();
});
