/** The deployed sweeper, with the role of the template: it settles what crashed runs have left and removes orphans. */

import { randomBytes } from 'node:crypto';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { connectDynamoDb } from '../../lambda/aws/dynamodb';
import { ulidOf } from '../../lambda/base/ulid';
import { outputs } from '../../lambda/contract/outputs';
import { defaultPlans } from '../../lambda/contract/plans';
import { createGenerationIndex } from '../../lambda/generation/dynamodb/generation-index';
import type { Lease } from '../../lambda/generation/generation';
import { executionPath, imageIdOf, imageKeyOf } from '../../lambda/generation/generation-identity';
import type { SweepEvent } from '../../lambda/generation/sweep-event';
import { createCharges } from '../../lambda/quota/dynamodb/charges';
import { createQuotaCounters } from '../../lambda/quota/dynamodb/quota-counters';
import { counterKey, quotaOf } from '../../lambda/quota/quota';
import { readFacts } from '../../tools/deploy-test/facts';
import { accountId } from '../fakes/branded';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { accessOf } from './edge';
import { physicalId } from './physical-id';

const { outputs: deployed } = readFacts();
const nowMs = Date.now();
const telemetry = createRecordedTelemetry();
const db = connectDynamoDb().client;
const tableName = deployed[outputs.quotaCountersTable] ?? '';
const clock = { nowMs: () => nowMs, sleep: async () => undefined };
const charges = createCharges({ db, tableName, clock, telemetry });
const counters = createQuotaCounters(db, tableName, telemetry);

jest.setTimeout(60_000);

async function sweep(event: SweepEvent): Promise<unknown> {
  const FunctionName = await physicalId('SweeperFunction');
  const Payload = new TextEncoder().encode(JSON.stringify(event));
  const answer = await new LambdaClient().send(new InvokeCommand({ FunctionName, Payload }));
  const text = new TextDecoder().decode(answer.Payload);
  expect([answer.FunctionError, text]).toEqual([undefined, expect.anything()]);
  return JSON.parse(text);
}

/** An account of its own for each crashed run, whose lease has ended. */
async function crashed(ageMs: number) {
  const index = createGenerationIndex(db, await physicalId('GenerationIndexTable'));
  const beganMs = nowMs - ageMs;
  const account = accountId(`crashed-${randomBytes(6).toString('hex')}`);
  const quota = quotaOf({ kind: 'live', plan: 'pro', keyId: 'k', account }, '', defaultPlans, beganMs);
  const key = imageKeyOf(`G#live#${account}#private#${randomBytes(32).toString('hex')}`);
  const [execution, quotaKey] = [ulidOf(beganMs, randomBytes(10)), counterKey(quota)];
  const leaseEndsMs = beganMs + 150_000;
  const acquired = await index.acquire({
    key,
    imageId: imageIdOf(key),
    execution,
    quotaKey,
    nowMs: beganMs,
    leaseEndsMs,
  });
  if (acquired.outcome !== 'leased') throw new Error('There is such a generation.');
  await charges.reserve(
    { quotaKey, execution, cost: 1, imageId: imageIdOf(key), dueMs: leaseEndsMs },
    { quota, heldMax: 1 },
  );
  return { index, quota, lease: acquired.lease };
}

const masterOf = ({ key, execution }: Lease) => executionPath(key, execution, 'master.png');

test('what a run held that crashed before its image is given back', async () => {
  const { index, quota, lease } = await crashed(600_000);
  expect(await counters.taken(quota)).toBe(1);
  await sweep({});
  expect(await counters.taken(quota)).toBe(0);
  expect((await index.read(lease.key))?.state).toBe('ABANDONED');
});

test('what a run finished that crashed before its charge is charged', async () => {
  const { index, quota, lease } = await crashed(600_000);
  await index.finalize(lease, { master: { path: masterOf(lease), model: 'm' }, charged: true, nowMs });
  await sweep({});
  expect(await counters.taken(quota)).toBe(1);
  expect(await charges.pendingOf(counterKey(quota))).toEqual([]);
  expect(await index.read(lease.key)).toMatchObject({ state: 'READY', settled: true });
});

test('an image that nothing names is removed, and one that a generation names is not', async () => {
  const orphan = await crashed(2 * 3_600_000);
  await orphan.index.abandon(orphan.lease);
  const named = await crashed(2 * 3_600_000);
  const master = { path: masterOf(named.lease), model: 'm' };
  await named.index.finalize(named.lease, { master, charged: true, nowMs });
  const s3 = new S3Client({ forcePathStyle: true });
  const Bucket = await physicalId('ImageBucket');
  for (const { lease } of [orphan, named])
    await s3.send(new PutObjectCommand({ Bucket, Key: masterOf(lease), Body: 'image' }));
  await sweep({ orphans: true, everything: true });
  await expect(s3.send(new HeadObjectCommand({ Bucket, Key: masterOf(orphan.lease) }))).rejects.toThrow();
  await s3.send(new HeadObjectCommand({ Bucket, Key: masterOf(named.lease) }));
});

test('its role allows every call of these', async () => {
  const access = Object.values(accessOf('Sweeper'));
  expect(access.flatMap(({ denied }) => denied)).toEqual([]);
  expect(access.flatMap(({ allowed }) => allowed)).toEqual(
    expect.arrayContaining([
      'dynamodb:Scan',
      'dynamodb:Query',
      'dynamodb:GetItem',
      'dynamodb:UpdateItem',
      's3:ListBucket',
      's3:DeleteObject',
    ]),
  );
});
