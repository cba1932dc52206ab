/** What CloudFormation is told of a custom resource, and what those do that delete or protect what holds data. */

import { setImmediate } from 'node:timers/promises';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { customResource, type Work } from '../../lib/deploy-time/custom-resource';
import { emptiedTag, emptyBucket } from '../../lib/deploy-time/empty-bucket/empty-bucket';
import { protectTables } from '../../lib/deploy-time/protect-tables/protect-tables';

const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Resource' };
const eventOf = (RequestType: string, ResourceProperties: object = {}) =>
  ({ RequestType, ResourceProperties, ResponseURL: 'https://answer', ...ids }) as never;

it.each<[string, Work, object]>([
  ['succeeds', async () => ({ Made: 'key' }), { Status: 'SUCCESS', Data: { Made: 'key' } }],
  ['fails', () => Promise.reject(new Error('no room')), { Status: 'FAILED', Reason: 'no room' }],
  ['throws no error', () => Promise.reject('no'), { Status: 'FAILED', Reason: 'unknown fault' }],
])('is answered for when its work %s, under an id that never changes', async (_, work, outcome) => {
  const answers: [string, object][] = [];
  const handler = customResource('same', work, async (url, body) => {
    answers.push([url, JSON.parse(body)]);
  });
  await handler(eventOf('Update'));
  expect(answers).toEqual([['https://answer', { ...ids, PhysicalResourceId: 'same', ...outcome }]]);
});

const run = (work: Work, ...event: Parameters<typeof eventOf>) =>
  work(eventOf(...event) as CloudFormationCustomResourceEvent);

it.each([
  ['Create', 'true', ['b']],
  ['Update', 'false', ['a']],
  ['Delete', 'false', []],
])('%s with protection %s changes the tables %j', async (type, Protected, changed) => {
  const protections = new Map([
    ['a', true],
    ['b', false],
  ]);
  const done: string[] = [];
  const work = protectTables({
    isProtected: async (name) => protections.get(name) === true,
    protect: async (name, isProtected) => {
      expect(String(isProtected)).toBe(Protected);
      await setImmediate();
      done.push(name);
    },
  });
  await run(work, type, { TableNames: [...protections.keys()], Protected });
  expect(done).toEqual(changed);
});

it.each([
  ['Create', emptiedTag.value, 3],
  ['Update', emptiedTag.value, 3],
  ['Delete', 'no', 3],
  ['Delete', emptiedTag.value, 0],
])('%s of a bucket whose tag says %s leaves %d of its objects', async (type, tag, left) => {
  let paths: readonly string[] = ['a', 'b', 'c'];
  const work = emptyBucket({
    tagsOf: async () => ({ [emptiedTag.key]: tag }),
    somePaths: async () => paths.slice(0, 2),
    remove: async (bucket, removed) => {
      expect(bucket).toBe('images');
      await setImmediate();
      paths = paths.filter((path) => !removed.includes(path));
    },
  });
  await run(work, type, { Bucket: 'images' });
  expect(paths).toHaveLength(left);
});
