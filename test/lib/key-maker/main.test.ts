/** Tests the key maker: it makes keys once, and responds to CloudFormation. */

import { createHash, X509Certificate } from 'node:crypto';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { answerEvent, handler, type KeyMakerServices } from '../../../lib/key-maker/main';

const makeEvent = (RequestType: string, ResourceProperties: object) =>
  ({
    ...{ RequestType, ResourceProperties, StackId: 's', RequestId: 'r', LogicalResourceId: 'Keys' },
  }) as unknown as CloudFormationCustomResourceEvent;
const properties = { UrlKeys: { V1: 'url1' }, ContentKeys: { V1: 'content1' }, LogRole: 'arn:ours' };

/** An account whose secrets hold what they were made with, and that takes a role after so many refusals. */
function createAccountWith(role?: string, refusals = 1) {
  const secrets = new Map<string, string>([
    ...['url1', 'url2', 'url3', 'content1', 'content2', 'addresses'].map((id) => [id, 'made'] as const),
  ]);
  const writes: string[] = [];
  let logRole = role;
  let attempts = 0;
  const services = {
    rolePauseMs: 0,
    secrets: {
      async send({ input: { SecretId, SecretString } }: { input: Record<string, string> }) {
        const id = SecretId as string;
        if (!secrets.has(id)) throw new Error(`There is no ${id}`);
        if (SecretString === undefined) return { SecretString: secrets.get(id) };
        writes.push(id);
        secrets.set(id, SecretString);
      },
    },
    gateway: {
      async send({ input: { patchOperations } }: { input: { patchOperations?: { value: string }[] } }) {
        if (!patchOperations) return { cloudwatchRoleArn: logRole };
        if (attempts++ < refusals) throw new Error('The role is not yet known');
        logRole = patchOperations[0]?.value;
      },
    },
  } as unknown as KeyMakerServices;
  const ask = async (type: string, values: object) =>
    (await answerEvent(services, makeEvent(type, values))) as {
      Status: string;
      Data: Record<string, string>;
    };
  return { ask, writes, logRole: () => logRole };
}

test('keys are made once while each event returns their public parts', async () => {
  const { ask, writes } = createAccountWith();
  const created = await ask('Create', properties);
  expect(created).toMatchObject({
    ...{ StackId: 's', RequestId: 'r', LogicalResourceId: 'Keys', PhysicalResourceId: 'Keys' },
    Status: 'SUCCESS',
    Data: { PublicKeyV1: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/) },
  });
  expect(await ask('Update', properties)).toEqual(created);
  expect(writes).toEqual(['url1', 'content1']);
  expect(JSON.stringify(created)).not.toContain('PRIVATE');
  const { Certificates = '' } = created.Data;
  const { subject, keyUsage, ca, validFrom, validTo } = new X509Certificate(Certificates);
  // From yesterday, as clocks differ, for twenty years.
  const [fromDays, toDays] = [validFrom, validTo].map((day) => (Date.parse(day) - Date.now()) / 86_400_000);
  expect([fromDays, toDays]).toEqual([expect.closeTo(-1, 1), expect.closeTo(20 * 365, 1)]);
  expect([subject, keyUsage, ca]).toEqual([
    'O=Image Redirect\nCN=Image Redirect content credentials',
    ['1.3.6.1.5.5.7.3.4'],
    false,
  ]);
});

test('a new version gets a second key beside the first', async () => {
  const { ask } = createAccountWith();
  const { Data: firstKeys } = await ask('Create', properties);
  const versions = { UrlKeys: { V1: 'url1', V2: 'url2' }, ContentKeys: { V1: 'content1', V2: 'content2' } };
  const { Data: bothKeys } = await ask('Update', { ...properties, ...versions, HashedSecret: 'addresses' });
  expect(bothKeys['PublicKeyV1']).toBe(firstKeys['PublicKeyV1']);
  expect(bothKeys['PublicKeyV2']).not.toBe(firstKeys['PublicKeyV1']);
  expect(bothKeys['Certificates']).toContain(firstKeys['Certificates']);
  expect(bothKeys['Hash']).toBe(createHash('sha256').update('made').digest('hex'));
});

test('a deployment that skips a version of the keys fails before it makes a key', async () => {
  const { ask, writes } = createAccountWith();
  await ask('Create', { ...properties, UrlKeys: { V1: 'url1' } });
  const skipped = await ask('Update', { ...properties, UrlKeys: { V2: 'url2', V3: 'url3' } });
  expect(skipped).toMatchObject({ Status: 'FAILED', Reason: expect.stringContaining('Raise it by one') });
  expect(writes).toEqual(['url1', 'content1']);
  // CloudFormation then rolls back by another update.
  expect(await ask('Update', properties)).toMatchObject({ Status: 'SUCCESS' });
});

test.each([
  ['none is set', undefined, 'arn:ours'],
  ['one of its own stays', 'arn:theirs', 'arn:theirs'],
])('the log role of an account with %s', async (_, firstRole, lastRole) => {
  const { ask, logRole } = createAccountWith(firstRole);
  await ask('Create', properties);
  expect(await ask('Delete', properties)).toMatchObject({ Status: 'SUCCESS' });
  expect(logRole()).toBe(lastRole);
});

test.each([
  [9, 'SUCCESS'],
  [10, 'FAILED'],
])('a log role that API Gateway refuses %d times ends with %s', async (refusals, Status) => {
  expect(await createAccountWith(undefined, refusals).ask('Create', properties)).toMatchObject({ Status });
});

test('the response to CloudFormation states the reason of a failure', async () => {
  const failed = await createAccountWith().ask('Create', { ...properties, UrlKeys: { V1: 'nowhere' } });
  expect(failed).toMatchObject({ Status: 'FAILED', Reason: 'There is no nowhere' });
});

test('handler puts the response at the URL of CloudFormation without a content type', async () => {
  const put = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(''));
  try {
    await handler({ ...makeEvent('Delete', properties), ResponseURL: 'https://answers.test/1' });
    const body = expect.stringContaining('"Status":"SUCCESS"');
    const request = { method: 'PUT', body, headers: { 'Content-Type': '' } };
    expect(put.mock.calls).toEqual([['https://answers.test/1', request]]);
    put.mockImplementation(async () => new Response('', { status: 403 }));
    await expect(handler(makeEvent('Delete', properties))).rejects.toThrow('403');
  } finally {
    put.mockRestore();
  }
});
