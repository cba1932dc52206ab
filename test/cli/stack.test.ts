/** Tests commands with a deployed stack, which they find through CloudFormation. */

import { outputs } from '../../lambda/contract/outputs';
import { writeSignerSecret } from '../../lambda/credentials/signer';
import { markRemoved } from '../../lambda/images/picked-images';
import { localIds } from '../../local/environment';
import { master } from '../../packages/client/test/vectors';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { startScriptedS3 } from '../fakes/scripted-s3';
import { createServicesOn } from '../fakes/services';
import { type LocalFixture, startLocalFixture } from './local-fixture';
import { expectRefusal, runTool } from './run-tool';

let local: LocalFixture;
let aws: Loopback;
let s3: Awaited<ReturnType<typeof startScriptedS3>>;
/** Action and region of each question to CloudFormation and STS. */
const stackRequests: string[] = [];
/** Distribution and paths of each invalidation. */
const invalidated: string[][] = [];
const principal = 'arn:aws:sts::123456789012:assumed-role/Ops/jane';

/** The outputs of each stack, or the error that CloudFormation answers with. */
function makeStacks(): Readonly<
  Record<string, Readonly<Record<string, string>> | [code: string, message: string]>
> {
  const { apiKeys, quotaCounters, images, generationIndex } = local.engine.tableNames;
  const bound = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'pexels' };
  const stock = { SLOT_BINDINGS: JSON.stringify(bound), PROVIDER_SECRET_ID: 'the-secret' };
  const service = {
    [outputs.apiUrl]: 'https://images.example',
    [outputs.apiKeysTable]: apiKeys,
    [outputs.quotaCountersTable]: quotaCounters,
    [outputs.imagesTable]: images,
    [outputs.generationIndexTable]: generationIndex,
    [outputs.stockProviders]: JSON.stringify(stock),
    [outputs.imageDistribution]: 'IMAGES',
    [outputs.edgeDistribution]: 'EDGE',
    [outputs.plans]: '{"free":{"monthlyRequests":2000}}',
    [outputs.imageBucket]: 'images',
    [outputs.generationsPerDay]: '50',
    [outputs.signerSecret]: localIds.signerSecret,
  };
  return {
    Images: service,
    Unsigned: { ...service, [outputs.signerSecret]: 'the-secret' },
    Other: { Something: 'else' },
    Forbidden: ['AccessDenied', 'User is not authorized to perform: cloudformation:DescribeStacks'],
  };
}

const parseRegion = (headers: { readonly authorization?: string | undefined }) =>
  /Credential=[^/]+\/\d+\/([\w-]+)/.exec(headers.authorization ?? '')?.[1];

/** CloudFormation, STS and CloudFront. */
async function startAws(): Promise<Loopback> {
  return listenOnLoopback(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    response.setHeader('Content-Type', 'text/xml');
    const [, distribution] = /\/distribution\/([^/]+)\/invalidation$/.exec(request.url ?? '') ?? [];
    if (distribution !== undefined) {
      invalidated.push([distribution, ...[...text.matchAll(/<Path>([^<]*)/g)].map(([, path = '']) => path)]);
      return response.writeHead(201).end('<Invalidation/>');
    }
    const body = new URLSearchParams(text);
    stackRequests.push(`${body.get('Action')} ${parseRegion(request.headers)}`);
    if (body.get('Action') === 'GetCallerIdentity') {
      const result = `<GetCallerIdentityResult><Arn>${principal}</Arn></GetCallerIdentityResult>`;
      return response.end(`<GetCallerIdentityResponse>${result}</GetCallerIdentityResponse>`);
    }
    const name = body.get('StackName') ?? '';
    const stack = makeStacks()[name] ?? ['ValidationError', `Stack with id ${name} does not exist`];
    if (Array.isArray(stack)) {
      const error = `<Error><Type>Sender</Type><Code>${stack[0]}</Code><Message>${stack[1]}</Message></Error>`;
      return response.writeHead(400).end(`<ErrorResponse>${error}</ErrorResponse>`);
    }
    const members = Object.entries(stack).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    const stackXml = `<member><StackName>s</StackName><Outputs>${members.join('')}</Outputs></member>`;
    return response.end(
      `<DescribeStacksResponse><DescribeStacksResult><Stacks>${stackXml}</Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
  });
}

beforeAll(async () => {
  [local, aws, s3] = await Promise.all([startLocalFixture(), startAws(), startScriptedS3()]);
});
afterAll(async () => {
  await Promise.all([local?.stop(), aws?.stop(), s3?.stop()]);
});

const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
const signedIn = { ...credentials, AWS_REGION: 'eu-west-3' };
const makeRunEnvironment = (env: Readonly<Record<string, string>>) => ({
  AWS_ENDPOINT_URL: aws.address,
  AWS_ENDPOINT_URL_DYNAMODB: local.engine.endpoint,
  AWS_ENDPOINT_URL_S3: s3.endpoint,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: local.url,
  ...env,
});
/** Runs a command for a stack. Returns also its requests to CloudFormation and STS. */
const run = async (
  stack: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = signedIn,
) => {
  stackRequests.length = 0;
  const options = { cwd: local.folder, env: makeRunEnvironment(env) };
  return { ...(await runTool([...args, '--stack', stack], options)), requests: [...stackRequests] };
};

test('commands with --stack use the tables and plans of the stack', async () => {
  const env = { ...credentials, AWS_DEFAULT_REGION: 'eu-west-3' };
  const created = await run('Images', ['keys', 'create', '--json'], env);
  expect(created.requests).toEqual([
    'DescribeStacks eu-west-3',
    'GetCallerIdentity eu-west-3',
    'GetCallerIdentity eu-west-3',
  ]);
  const { account, createdBy } = created.json<{ account: string; createdBy: string }>();
  expect(createdBy).toBe(principal);
  const both = { ...env, AWS_REGION: 'eu-west-1' };
  const usage = ['keys', 'usage', account, '--region', 'us-west-2', '--json'];
  const end = await run('Images', usage, both);
  expect(end.json()).toMatchObject({ account, used: 0, limit: 2_000, day: { limit: 50, used: 0 } });
  expect(end.requests).toEqual(['DescribeStacks us-west-2']);
  expect((await run('Images', ['keys', 'list'], both)).requests).toEqual(['DescribeStacks eu-west-1']);
  const ops = { AWS_REGION: 'eu-west-3', AWS_PROFILE: 'other' };
  expectRefusal(await run('Images', ['keys', 'list', '--profile', 'ops'], ops), 5, 'of profile ops');
});

test('signer create fails if the master secret of the stack is empty', async () => {
  local.configure({}, '');
  const { account } = (await run('Images', ['keys', 'create', '--json'])).json<{ account: string }>();
  const create = ['keys', 'signer', 'create', '--account', account, '--json'];
  const signer = (await run('Images', create)).json<{ signerId: string; secret: string }>();
  expect(signer.secret).toBe(writeSignerSecret(master, signer.signerId));
  const list = ['keys', 'signer', 'list', '--json'];
  const signers = (await run('Images', list)).json();
  expectRefusal(await run('Unsigned', create), 1, 'The secret of the signers is empty');
  const rotate = ['keys', 'signer', 'rotate', signer.signerId];
  expectRefusal(await run('Unsigned', rotate), 1, 'The secret of the signers is empty');
  expect((await run('Images', list)).json()).toEqual(signers);
});

test('images remove --stack clears the caches of the image host and the edge', async () => {
  const pick = 'a'.repeat(20);
  const removal = { id: pick, at: '2025-11-21', by: 'me', reason: 'asked' } as const;
  await markRemoved(createServicesOn(local.engine), pick, { ...removal, kind: 'stock' });
  await run('Images', ['images', 'remove', pick, '--reason', 'a wish', '--yes']);
  const caches = [
    ['IMAGES', `/stock/${pick}/*`],
    ['EDGE', '/*'],
  ];
  expect(invalidated).toEqual(caches);
  expect((await run('Images', ['images', 'removed'])).stdout).toMatch(
    /^ID +KIND +AT +BY +REASON\na{20} +stock +2025-11-21 +me +asked\n$/,
  );
  expect(new Set(s3.requests.map(({ headers }) => parseRegion(headers)))).toEqual(new Set(['eu-west-3']));
});

test('providers --stack looks for a key in the secret of the stack', async () => {
  local.configure({}, '{}');
  const { exitCode, json, stderr } = await run('Images', ['providers', '--json']);
  expect([exitCode, json()]).toMatchObject([
    1,
    { service: 'stack Images', slots: [{}, {}, { key: 'missing' }] },
  ]);
  expect(stderr).toContain('Put it as "pexels" into the JSON of the secret the-secret');
});

test.each<[string, string, Readonly<Record<string, string>>, number, string]>([
  ['no region', 'Images', credentials, 5, 'AWS_REGION'],
  ['no credentials', 'Images', { AWS_REGION: 'eu-west-1' }, 5, 'credentials'],
  ['a stack that is not there', 'Nowhere', signedIn, 3, 'no stack Nowhere'],
  ['a stack of something else', 'Other', signedIn, 1, 'is no image redirect service'],
  ['a missing permission', 'Forbidden', signedIn, 5, 'DescribeStacks'],
])('a command for a stack refuses %s in one line', async (_, stack, env, exitCode, words) => {
  expectRefusal(await run(stack, ['keys', 'list'], env), exitCode, words);
});

test('a command refuses options of both a local service and a stack', async () => {
  expectRefusal(await run('Images', ['keys', 'list', '--local', local.url]), 2, '--stack');
  const options = { cwd: local.folder };
  expectRefusal(await runTool(['keys', 'list', '--profile', 'ops'], options), 2, 'go with --stack');
});
