/** The keys command with a deployed stack: tables through CloudFormation, and clear errors for what is missing. */

import { outputs } from '../../../lambda/contract/outputs';
import { type SignerId, signerSecretOf } from '../../../lambda/credentials/signer';
import { noteRemoved } from '../../../lambda/images/picked-images';
import { master } from '../../../packages/client/test/vectors';
import { listenOnLoopback } from '../../fakes/loopback';
import { servicesOn } from '../../fakes/services';
import { expectRefusal } from '../run-tool';
import { principal, type StackFixture, startStackFixture } from '../stack-fixture';

describe('npm run keys with --stack', () => {
  let stack: StackFixture;
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

  beforeAll(async () => {
    stack = await startStackFixture({
      Tableless: {
        [outputs.apiKeysTable]: 'KeysOfStack',
        [outputs.quotaCountersTable]: 'CountersOfStack',
        [outputs.imagesTable]: 'MemoryOfStack',
      },
      Other: { Something: 'else' },
      Forbidden: {
        status: 403,
        code: 'AccessDenied',
        message: 'User is not authorized to perform: cloudformation:DescribeStacks',
      },
      Expired: { status: 403, code: 'ExpiredToken', message: 'The security token is expired' },
    });
  });
  afterAll(() => stack.stop());

  const run = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
    stack.run(['keys', ...args], env);

  it('creates a key in the stack’s table and reports usage by its plans, in the region of the AWS CLI', async () => {
    const env = { ...credentials, AWS_DEFAULT_REGION: 'eu-west-3' };
    const { account, createdBy } = (await run(['create', '--stack', 'Images', '--json'], env)).json<{
      account: string;
      createdBy: string;
    }>();
    expect(createdBy).toBe(principal);
    expect(stack.cloudFormation.asked.at(-1)).toBe('DescribeStacks eu-west-3');
    const end = await run(['usage', account, '--stack', 'Images', '--region', 'us-west-2', '--json'], env);
    expect(end.json()).toMatchObject({ account, used: 0, limit: 2_000, day: { limit: 50, used: 0 } });
    expect(stack.cloudFormation.asked.at(-1)).toBe('DescribeStacks us-west-2');
    expect(new Set(stack.regions())).toEqual(new Set(['eu-west-3']));
    await run(['create', '--stack', 'Images', '--region', 'us-west-2'], { ...env, AWS_REGION: 'eu-west-1' });
    expect(new Set(stack.regions())).toEqual(new Set(['eu-west-3', 'us-west-2']));
  });

  it('takes the region and the profile of the command line before those of the environment', async () => {
    const env = { ...credentials, AWS_REGION: 'eu-west-3', AWS_DEFAULT_REGION: 'eu-west-1' };
    expect((await run(['list', '--stack', 'Images'], env)).exitCode).toBe(0);
    expect(stack.cloudFormation.asked.at(-1)).toBe('DescribeStacks eu-west-3');
    const named = ['list', '--stack', 'Images', '--profile', 'ops'];
    expectRefusal(await run(named, { AWS_REGION: 'eu-west-3', AWS_PROFILE: 'other' }), 5, 'for profile ops');
    expectRefusal(await run(['list', '--profile', 'ops'], env), 2, '--region and --profile go with --stack');
  });

  it('makes a signer by the secret of the stack, and none whose secret it could not show', async () => {
    stack.local.configure({}, '');
    const env = { ...credentials, AWS_REGION: 'eu-west-3' };
    const of = (name: string, ...args: string[]) => run([...args, '--stack', name, '--json'], env);
    const { account } = (await of('Images', 'create')).json<{ account: string }>();
    const create = ['signer', 'create', '--account', account];
    const signer = (await of('Signing', ...create)).json<{ signerId: SignerId; secret: string }>();
    expect(signer.secret).toBe(signerSecretOf(master, signer.signerId));
    const before = (await of('Images', 'signer', 'list')).json();
    expectRefusal(await of('Images', ...create), 1, 'does not support signers yet');
    expectRefusal(await of('Unsigned', ...create), 1, 'The secret of the signers is empty');
    expect((await of('Images', 'signer', 'list')).json()).toEqual(before);
  });

  it('has the distributions forget images that are no more, and the edge all of it', async () => {
    const env = { ...credentials, AWS_REGION: 'eu-west-3' };
    const of = (...args: string[]) => stack.run([...args, '--stack', 'Images', '--json'], env);
    const pick = 'a'.repeat(20);
    const { engine } = stack.local;
    const removal = {
      id: pick,
      kind: 'stock',
      files: 0,
      at: '2026-11-21',
      by: 'me',
      reason: 'asked',
    } as const;
    await noteRemoved(servicesOn(engine), pick, removal);
    await of('images', 'remove', pick, '--reason', 'a wish', '--yes');
    const forgotten = [
      ['IMAGES', `/stock/${pick}/*`],
      ['EDGE', '/*'],
    ];
    expect(stack.invalidated).toEqual([...forgotten, ...forgotten]);
  });

  it.each([
    ['no region', 'Images', credentials, 5, 'AWS_REGION'],
    ['no credentials', 'Images', { AWS_REGION: 'eu-west-1' }, 5, 'credentials'],
    ['a stack that is not there', 'Nowhere', { ...credentials, AWS_REGION: 'eu-west-1' }, 3, 'eu-west-1'],
    ['a stack of something else', 'Other', { ...credentials, AWS_REGION: 'eu-west-1' }, 1, 'no tables'],
    ['a missing permission', 'Forbidden', { ...credentials, AWS_REGION: 'eu-west-1' }, 5, 'DescribeStacks'],
    ['credentials that are over', 'Expired', { ...credentials, AWS_REGION: 'eu-west-1' }, 5, 'credentials'],
  ])('ends in one line about %s', async (_, name, env, exitCode, words) => {
    expectRefusal(await run(['list', '--stack', name], env), exitCode, words);
  });

  it.each([
    [
      'a permission',
      'AccessDeniedException',
      'is not authorized to perform: dynamodb:Scan',
      5,
      'dynamodb:Scan',
    ],
    ['a table', 'ResourceNotFoundException', 'Requested resource not found', 3, 'KeysOfStack'],
  ])('names %s that is missing for the tables', async (_, code, message, exitCode, words) => {
    const dynamoDb = await listenOnLoopback((_request, response) => {
      response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: `com.amazon.coral.service#${code}`, message }));
    });
    const env = { ...credentials, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.address };
    const end = await run(['list', '--stack', 'Tableless'], env);
    await dynamoDb.stop();
    expectRefusal(end, exitCode, words);
  });

  it('refuses to guess between a local service and a stack', async () => {
    const end = await run(['list', '--stack', 'Images', '--local', stack.local.url]);
    expect(end.exitCode).toBe(2);
  });
});
