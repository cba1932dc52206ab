/** The functions that CloudFormation calls, as they are deployed: what they ask of AWS, and which outcome they send. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { emptiedTag } from '../../lib/deploy-time/empty-bucket/empty-bucket';
import { handler as emptyBucket } from '../../lib/deploy-time/empty-bucket/main';
import { handler as protectTables } from '../../lib/deploy-time/protect-tables/main';
import { handler as makeKey } from '../../lib/deploy-time/signing-key/main';
import { publishFiles } from '../../lib/deploy-time/signing-key/publish-files';
import { reachAwsAt } from '../fakes/aws-environment';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';

interface Answer {
  readonly status?: number;
  readonly body: string | object;
}

let server: Loopback;
/** What AWS answers, by what is asked of it. */
let answers: Readonly<Record<string, Answer>>;
let asked: string[];
let bodies: string[];
let outcome: Record<string, unknown> | undefined;
let outcomeStatus: number;
/** Method and media type: the URL is signed for no other. */
let outcomeSent: unknown;
let leaveAws: () => void;

beforeAll(async () => {
  server = await listenOnLoopback(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { method, url = '', headers } = request;
    if (url === '/outcome') {
      outcome = JSON.parse(body);
      outcomeSent = [method, headers['content-type']];
      response.writeHead(outcomeStatus).end();
      return;
    }
    const action = String(headers['x-amz-target'] ?? '').split('.')[1];
    const form = new URLSearchParams(body).get('Action');
    const what = action ?? form ?? `${method} ${url.replace(/\/?\?/, '?').replace(/[=&].*/, '')}`;
    asked.push(what);
    bodies.push(body);
    const { status = 200, body: answer } = answers[what] ?? { status: 400, body: `${what} is not expected` };
    response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  leaveAws = reachAwsAt(server.address, 'eu-west-3');
});
afterAll(async () => {
  leaveAws();
  await server.stop();
});
beforeEach(() => {
  [asked, bodies, outcome, outcomeSent, outcomeStatus] = [[], [], undefined, undefined, 200];
});

async function outcomeOf(
  handler: (event: CloudFormationCustomResourceEvent) => Promise<void>,
  RequestType: string,
  ResourceProperties: object,
  ResourceType = 'Custom::Other',
): Promise<unknown> {
  const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Resource' };
  const event = {
    RequestType,
    ResourceType,
    ResourceProperties,
    ResponseURL: `${server.address}/outcome`,
    ...ids,
  };
  await handler(event as unknown as CloudFormationCustomResourceEvent);
  expect(outcomeSent).toEqual(['PUT', '']);
  return outcome?.['Status'] === 'FAILED' ? outcome['Reason'] : outcome?.['Data'];
}

describe('a bucket that goes with its stack', () => {
  const tag = (value: string) => ({
    body: `<Tagging><TagSet><Tag><Key>${emptiedTag.key}</Key><Value>${value}</Value></Tag></TagSet></Tagging>`,
  });
  const error = (status: number, code: string) => ({
    status,
    body: `<Error><Code>${code}</Code><Message>no</Message></Error>`,
  });
  const listed = (...paths: string[]) => ({
    body: `<ListBucketResult>${paths.map((path) => `<Contents><Key>${path}</Key></Contents>`).join('')}</ListBucketResult>`,
  });
  const empty = () => outcomeOf(emptyBucket, 'Delete', { Bucket: 'images' });
  const asks = {
    tags: 'GET /images?tagging',
    list: 'GET /images?list-type',
    remove: 'POST /images?delete',
  };

  it.each([
    ['has no tag', error(404, 'NoSuchTagSet'), {}, 1],
    ['has another tag', tag('no'), {}, 1],
    ['cannot be asked for its tags', error(403, 'AccessDenied'), 'no', 1],
    ['is empty', tag(emptiedTag.value), {}, 2],
  ])('is asked no more where it %s', async (_, tags, said, requests) => {
    answers = { [asks.tags]: tags, [asks.list]: listed() };
    expect(await empty()).toEqual(said);
    expect(asked).toEqual([asks.tags, asks.list].slice(0, requests));
  });

  it('fails with the code of an object that cannot be deleted', async () => {
    answers = {
      [asks.tags]: tag(emptiedTag.value),
      [asks.list]: listed('a', 'b'),
      [asks.remove]: {
        body: '<DeleteResult><Error><Key>b</Key><Code>AccessDenied</Code></Error></DeleteResult>',
      },
    };
    expect(await empty()).toBe('1 objects could not be deleted: AccessDenied');
    expect(bodies.at(-1)).toMatch(/<Object><Key>a<\/Key><\/Object><Object><Key>b<\/Key>/);
  });
});

it('files beside the code are put where everybody may fetch them, and go with their resource, so that its bucket can go', async () => {
  const at = { Bucket: 'images', Paths: ['public/client-1.tgz', 'public/lake.webp'] };
  const folder = mkdtempSync(join(tmpdir(), 'code-'));
  mkdirSync(join(folder, 'public'));
  for (const path of at.Paths) writeFileSync(join(folder, path), path);
  const stored: unknown[] = [];
  const removed: unknown[] = [];
  const files = {
    put: async (...file: unknown[]) => void stored.push(file),
    remove: async (...file: unknown[]) => void removed.push(file),
  };
  const publish = publishFiles(files, folder);
  const ask = (RequestType: string, more: object = {}) =>
    publish({ RequestType, ResourceProperties: { ...at, ...more } } as never);
  expect([await ask('Create'), await ask('Delete')]).toEqual([{}, {}]);
  expect(removed).toEqual([
    ['images', 'public/client-1.tgz'],
    ['images', 'public/lake.webp'],
  ]);
  // An update that is rolled back names files of before, which lie in the bucket alone.
  expect(await ask('Update', { Paths: ['public/client-0.tgz'] })).toEqual({});
  await expect(ask('Create', { Paths: ['public/client-0.tgz'] })).rejects.toThrow('ENOENT');
  expect(stored).toEqual([
    ['images', 'public/client-1.tgz', Buffer.from('public/client-1.tgz'), 'application/gzip'],
    ['images', 'public/lake.webp', Buffer.from('public/lake.webp'), 'image/webp'],
  ]);
  rmSync(folder, { recursive: true });
});

it('a file is sent to the bucket with its media type, to be kept for good', async () => {
  const put = 'PUT /images/package.json?x-id';
  answers = { [put]: { body: '' } };
  // Beside the code of these tests, which is the project.
  const resource = { Bucket: 'images', Paths: ['package.json'] };
  expect(await outcomeOf(makeKey, 'Create', resource, 'Custom::PublishedFiles')).toEqual({});
  expect([asked, bodies.join()]).toEqual([[put], expect.stringContaining('"name": "image-redirect"')]);
});

describe('a key', () => {
  const make = (more: object = {}) => outcomeOf(makeKey, 'Create', { SecretId: 'secret', ...more });
  const held = (SecretString: string) => ({ body: { SecretString } });

  it('is put into its secret once, and its public half is the answer', async () => {
    answers = { GetSecretValue: held('placeholder'), PutSecretValue: { body: {} } };
    const made = await make();
    expect(made).toEqual({ PublicKeyPem: expect.stringMatching(/^-----BEGIN PUBLIC KEY/) });
    const put = JSON.parse(bodies.at(-1) ?? '');
    expect(put).toMatchObject({
      SecretId: 'secret',
      SecretString: expect.stringMatching(/^-----BEGIN PRIVATE/),
    });
    answers = { GetSecretValue: held(put.SecretString) };
    expect(await make()).toEqual(made);
    expect(asked).toEqual(['GetSecretValue', 'PutSecretValue', 'GetSecretValue']);
  });

  it('comes with a certificate where one is asked for, and the answer holds that alone', async () => {
    answers = { GetSecretValue: held('placeholder'), PutSecretValue: { body: {} } };
    const made = await make({ Certificate: 'true' });
    expect(made).toEqual({
      CertificatePem: expect.stringMatching(/^-----BEGIN CERTIFICATE[\s\S]*END CERTIFICATE-----\n$/),
    });
    expect(JSON.stringify(outcome)).not.toContain('PRIVATE');
    answers = { GetSecretValue: held(JSON.parse(bodies.at(-1) ?? '').SecretString) };
    expect(await make({ Certificate: 'true' })).toEqual(made);
  });

  it.each([
    ['read', { GetSecretValue: { status: 400, body: { __type: 'AccessDeniedException', message: 'no' } } }],
    [
      'written',
      {
        GetSecretValue: held('placeholder'),
        PutSecretValue: { status: 400, body: { __type: 'AccessDeniedException', message: 'no' } },
      },
    ],
  ])('is not answered with where its secret cannot be %s', async (_, given) => {
    answers = given;
    expect(await make()).toBe('no');
  });
});

it.each([
  [true, 'true', []],
  [false, 'true', [{ TableName: 'keys', DeletionProtectionEnabled: true }]],
  [undefined, 'true', [{ TableName: 'keys', DeletionProtectionEnabled: true }]],
  [true, 'false', [{ TableName: 'keys', DeletionProtectionEnabled: false }]],
])('a table whose protection is %s and should be %s is changed by %j', async (is, Protected, changes) => {
  answers = {
    DescribeTable: { body: { Table: { DeletionProtectionEnabled: is } } },
    UpdateTable: { body: {} },
  };
  expect(await outcomeOf(protectTables, 'Update', { TableNames: ['keys'], Protected })).toEqual({});
  expect(bodies.slice(1).map((each) => JSON.parse(each))).toEqual(changes);
});

it('a refused outcome is an error, so that Lambda sends it again', async () => {
  outcomeStatus = 500;
  const sent = outcomeOf(makeKey, 'Delete', { SecretId: 'secret' });
  await expect(sent).rejects.toThrow('CloudFormation did not take the answer: 500');
});
