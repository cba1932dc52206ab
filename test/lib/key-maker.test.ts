/** What works while the stack is deployed: keys are made once, files are published, CloudFormation is always answered. */

import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { answerCloudFormation } from '../../lib/key-maker/answer-cloudformation';
import { serverCertificate } from '../../lib/key-maker/certificates';
import { makeKeys } from '../../lib/key-maker/keys';
import { publishFiles } from '../../lib/key-maker/public-files';

const event = (RequestType: string, ResourceProperties: object, ResourceType = 'Custom::Keys') =>
  ({
    RequestType,
    ResourceProperties,
    ResourceType,
    StackId: 's',
    RequestId: 'r',
    LogicalResourceId: 'Keys',
    ResponseURL: 'https://answer',
  }) as unknown as CloudFormationCustomResourceEvent;

/** An account whose secrets hold what they were made with. */
function accountWith(role?: string) {
  const secrets = new Map([
    ['url1', 'stand-in'],
    ['content1', 'stand-in'],
    ['addresses', 'a secret'],
  ]);
  const writes: string[] = [];
  let logRole = role;
  const make = makeKeys({
    readSecret: async (id) => secrets.get(id) ?? '',
    writeSecret: async (id, value) => {
      writes.push(id);
      secrets.set(id, value);
    },
    gatewayLogRole: async () => logRole,
    setGatewayLogRole: async (arn) => {
      logRole = arn;
    },
  });
  return { secrets, writes, make, logRole: () => logRole };
}

const properties = { UrlKeys: { V1: 'url1' }, ContentKeys: { V1: 'content1' }, LogRole: 'arn:ours' };

describe('the keys', () => {
  it('are made once, and asked again are the same, without a private part', async () => {
    const { make, writes } = accountWith();
    const first = await make(event('Create', properties));
    expect(await make(event('Update', properties))).toEqual(first);
    expect(writes).toEqual(['url1', 'content1']);
    expect(first['PublicKeyV1']).toMatch(/^-----BEGIN PUBLIC KEY-----/);
    expect(JSON.stringify(first)).not.toContain('PRIVATE');
    const { subject, keyUsage, ca } = new X509Certificate(first['Certificates'] ?? '');
    expect([subject, keyUsage, ca]).toEqual([
      'O=Image Redirect\nCN=Image Redirect content credentials',
      ['1.3.6.1.5.5.7.3.4'],
      false,
    ]);
  });

  it('are two where a version follows another, whose certificates stay published', async () => {
    const { make, secrets } = accountWith();
    const first = await make(event('Create', properties));
    for (const id of ['url2', 'content2']) secrets.set(id, 'stand-in');
    const both = await make(
      event('Update', {
        ...properties,
        UrlKeys: { V1: 'url1', V2: 'url2' },
        ContentKeys: { V1: 'content1', V2: 'content2' },
      }),
    );
    expect(both['PublicKeyV1']).toBe(first['PublicKeyV1']);
    expect(both['PublicKeyV2']).not.toBe(first['PublicKeyV1']);
    expect(both['Certificates']).toContain(first['Certificates']);
  });

  it('go with the hash of a secret where one is wanted', async () => {
    const { make } = accountWith();
    const { Hash } = await make(event('Create', { ...properties, HashedSecret: 'addresses' }));
    expect(Hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['none, which is set', undefined, 'arn:ours'],
    ['one, which stays', 'arn:theirs', 'arn:theirs'],
  ])('leave the log role of an account that has %s', async (_, before, after) => {
    const { make, logRole } = accountWith(before);
    await make(event('Create', properties));
    await make(event('Delete', properties));
    expect(logRole()).toBe(after);
  });
});

describe('public files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'public-'));
  mkdirSync(join(folder, 'public'));
  writeFileSync(join(folder, 'public', 'card.svg'), '<svg/>');
  afterAll(() => rmSync(folder, { recursive: true }));

  function bucketWith(...paths: readonly string[]) {
    const held = new Set(paths);
    const types = new Map<string, string>();
    const work = publishFiles(
      {
        put: async (_, path, __, type) => {
          held.add(path);
          types.set(path, type);
        },
        somePaths: async () => [...held].slice(0, 2),
        remove: async (_, gone) => {
          for (const path of gone) held.delete(path);
        },
      },
      folder,
    );
    return { held, types, work };
  }
  const files = (Paths: readonly string[], EmptiesBucket = 'false') => ({
    Bucket: 'b',
    Paths,
    EmptiesBucket,
  });

  it('are put with their media types', async () => {
    const { held, types, work } = bucketWith();
    await work(event('Create', files(['public/card.svg'])));
    expect([[...held], [...types.values()]]).toEqual([['public/card.svg'], ['image/svg+xml']]);
  });

  it('that the code of a version that is rolled back lacks are left where they are', async () => {
    const { held, work } = bucketWith('public/old.svg');
    await work(event('Update', files(['public/old.svg'])));
    expect([...held]).toEqual(['public/old.svg']);
    await expect(work(event('Create', files(['public/old.svg'])))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['false', ['private/a', 'stock/b', 'masters/c']],
    ['true', []],
  ])('go with the stack, and all others too where it empties its bucket: %s', async (empties, left) => {
    const { held, work } = bucketWith('private/a', 'stock/b', 'masters/c', 'public/card.svg');
    await work(event('Delete', files(['public/card.svg'], empties)));
    expect([...held]).toEqual(left);
  });
});

test.each([
  ['what the work returns', async () => ({ A: '1' }), { Status: 'SUCCESS', Data: { A: '1' } }],
  ['why it failed', () => Promise.reject(new Error('no')), { Status: 'FAILED', Reason: 'no' }],
])('CloudFormation is answered: %s', async (_, work, outcome) => {
  const answers: object[] = [];
  const handler = answerCloudFormation({ Keys: work }, async (url, body) => {
    answers.push({ url, ...JSON.parse(body) });
  });
  await handler(event('Create', {}));
  expect(answers).toEqual([
    {
      url: 'https://answer',
      StackId: 's',
      RequestId: 'r',
      LogicalResourceId: 'Keys',
      PhysicalResourceId: 'Keys',
      ...outcome,
    },
  ]);
});

test('a certificate for servers on this machine names their hosts', async () => {
  const { certificatePem } = await serverCertificate(['*.example.org'], Date.now());
  const certificate = new X509Certificate(certificatePem);
  expect(certificate.checkHost('a.example.org')).toBeDefined();
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
});
