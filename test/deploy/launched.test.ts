/** A release from a bucket: launched without the CDK, and updated to the next one, which keeps its parameters. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  UpdateStackCommand,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
  waitUntilStackUpdateComplete,
} from '@aws-sdk/client-cloudformation';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { releaseHeader } from '../../tools/deploy-test/releases';
import type { Release } from '../../tools/release/write-release';
import { ask, header, imageBehind } from '../e2e/ask';

const { releases: [first, next] = [] } = readFacts();
if (!first || !next) throw new Error('Two releases are launched.');
const { stackName: StackName } = first;
const [bucket, prefix] = ['any-bucket', 'some/folder/'];
const s3 = new S3Client({ forcePathStyle: true });
const client = new CloudFormationClient();
const waiting = { client, maxWaitTime: 300, minDelay: 1, maxDelay: 2 };
const common = { StackName, Capabilities: ['CAPABILITY_IAM' as const] };
const parameter = (ParameterKey: string, ParameterValue: string) => ({ ParameterKey, ParameterValue });

jest.setTimeout(400_000);
afterAll(() => {
  s3.destroy();
  client.destroy();
});

/** Copies a release into the bucket. @returns the URL of its template, as the console takes it */
async function copy({ folder, name }: Release): Promise<string> {
  for (const file of readdirSync(folder)) {
    const Key = `${prefix}${name}/${file}`;
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: readFileSync(join(folder, file)) }));
  }
  return `https://s3.us-east-1.amazonaws.com/${bucket}/${prefix}${name}/template.json`;
}

async function image() {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const url = stack?.Outputs?.find(({ OutputKey }) => OutputKey === outputs.tryIt)?.OutputValue ?? '';
  const answer = await ask(url, { path: '' });
  expect(await imageBehind(answer)).toMatchObject({ width: 1200, height: 800 });
  return { url, release: answer.headers.get(releaseHeader), cached: header(answer, 'cache-control') };
}

test('a release is launched from a bucket, updated to the next one at the same URL, and deleted', async () => {
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const Parameters = [
    parameter('assetsBucket', bucket),
    parameter('assetsPrefix', prefix),
    parameter('alarmEmail', 'operator@example.org'),
    parameter('contact', 'operator@example.org'),
    parameter('redirectMaxAgeS', '77'),
  ];
  const TemplateURL = await copy(first);
  await client.send(new CreateStackCommand({ ...common, TemplateURL, Parameters }));
  await waitUntilStackCreateComplete(waiting, { StackName });
  const launched = await image();
  expect(launched).toMatchObject({ release: null, cached: expect.stringContaining('max-age=77') });

  await client.send(
    new UpdateStackCommand({
      ...common,
      TemplateURL: await copy(next),
      Parameters: [
        ...Parameters.slice(0, -1).map(({ ParameterKey }) => ({ ParameterKey, UsePreviousValue: true })),
        parameter('redirectMaxAgeS', '88'),
      ],
    }),
  );
  await waitUntilStackUpdateComplete(waiting, { StackName });
  expect(await image()).toEqual({
    url: launched.url,
    release: 'next',
    cached: expect.stringContaining('max-age=88'),
  });

  await client.send(new DeleteStackCommand({ StackName }));
  await waitUntilStackDeleteComplete(waiting, { StackName });
});
