/** A release from a bucket: launched without the CDK, and updated to the next one, which keeps its parameters; an update that takes something back is refused. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  UpdateStackCommand,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { releaseHeader } from '../../tools/deploy-test/releases';
import type { Release } from '../../tools/release/write-release';
import { ask, header, imageBehind } from '../e2e/ask';
import { readUntil } from '../e2e/read-until';

const { releases: [first, next] = [] } = readFacts();
if (!first || !next) throw new Error('Two releases are launched.');
const { stackName: StackName } = first;
const [bucket, prefix] = ['any-bucket', 'some/folder/'];
const s3 = new S3Client({ forcePathStyle: true });
const client = new CloudFormationClient();
const waiting = { client, maxWaitTime: 300, minDelay: 1, maxDelay: 2 };
const common = { StackName, Capabilities: ['CAPABILITY_IAM' as const] };
const launch = {
  assetsBucket: bucket,
  assetsPrefix: prefix,
  alarmEmail: 'operator@example.org',
  contact: 'operator@example.org',
  redirectMaxAgeS: '77',
};
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

/** Updates the stack, with the parameters that it has where none is given. @returns the status in which it ends, and why */
async function update(release: Release, given: Readonly<Record<string, string>> = {}): Promise<string> {
  const previous = Object.keys(launch).filter((name) => !(name in given));
  const Parameters = [
    ...Object.entries(given).map(([name, value]) => parameter(name, value)),
    ...previous.map((ParameterKey) => ({ ParameterKey, UsePreviousValue: true })),
  ];
  await client.send(new UpdateStackCommand({ ...common, TemplateURL: await copy(release), Parameters }));
  const status = async () =>
    (await client.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0]?.StackStatus ?? '';
  const isOver = (each: string) => !each.endsWith('_IN_PROGRESS');
  const end = await readUntil(status, isOver, { withinMs: 300_000, pauseMs: 500 });
  const { StackEvents = [] } = await client.send(new DescribeStackEventsCommand({ StackName }));
  const failed = StackEvents.find(({ ResourceStatus }) => ResourceStatus === 'UPDATE_FAILED');
  return end === 'UPDATE_COMPLETE' ? end : `${end}: ${failed?.ResourceStatusReason}`;
}

test('a release is launched from a bucket, updated to the next one at the same URL, and deleted', async () => {
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const TemplateURL = await copy(first);
  const Parameters = Object.entries(launch).map(([name, value]) => parameter(name, value));
  await client.send(new CreateStackCommand({ ...common, TemplateURL, Parameters }));
  await waitUntilStackCreateComplete(waiting, { StackName });
  const launched = await image();
  expect(launched).toMatchObject({ release: null, cached: expect.stringContaining('max-age=77') });

  // The next release does without a setting of the first one.
  expect(await update(next)).toMatch(/^UPDATE_ROLLBACK_COMPLETE: .*mayGoBack=libraryFirst\./);
  expect(await image()).toEqual(launched);
  expect(await update(next, { mayGoBack: 'libraryFirst', redirectMaxAgeS: '88' })).toBe('UPDATE_COMPLETE');
  const updated = { url: launched.url, release: 'next', cached: expect.stringContaining('max-age=88') };
  expect(await image()).toEqual(updated);

  // The first release is older.
  expect(await update(first)).toMatch(/^UPDATE_ROLLBACK_COMPLETE: .*mayGoBack=version\./);
  expect(await image()).toEqual(updated);

  await client.send(new DeleteStackCommand({ StackName }));
  await waitUntilStackDeleteComplete(waiting, { StackName });
});
