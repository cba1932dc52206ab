/** Images that the operator takes down, as deployed: nowhere shown, invalidated in each distribution, and in the log. */

import {
  CloudFrontClient,
  GetInvalidationCommand,
  ListInvalidationsCommand,
} from '@aws-sdk/client-cloudfront';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask, header } from '../e2e/ask';
import { operatorCommand } from './keys-command';

const { outputs: deployed, keys } = readFacts();
const url = deployed[outputs.apiUrl] ?? '';
const headers = { 'X-API-Key': keys.business.key };
const size = 'width=240&height=160';
const words = `removed ${Date.now()}`;

jest.setTimeout(120_000);

const recordOf = async (search: string) =>
  JSON.parse((await ask(url, { path: `/api/image?${search}&${size}&format=json`, headers })).body);

/** Paths that a distribution was told to forget. */
async function invalidated(DistributionId: string | undefined): Promise<readonly string[]> {
  const client = new CloudFrontClient();
  const { InvalidationList } = await client.send(new ListInvalidationsCommand({ DistributionId }));
  const batches = (InvalidationList?.Items ?? []).map(({ Id }) =>
    client.send(new GetInvalidationCommand({ DistributionId, Id })),
  );
  const paths = (await Promise.all(batches)).flatMap(
    ({ Invalidation }) => Invalidation?.InvalidationBatch?.Paths?.Items ?? [],
  );
  client.destroy();
  return paths;
}

test.each([
  ['stock', `query=${words}`, ({ pick }: Removed) => [pick, `/stock/${pick}/*`]],
  ['ai', `query=${words}&provider=ai`, ({ imageId }: Removed) => [imageId, `/private/${imageId}/*`]],
] as const)('%s: it is shown nowhere, and its copies are invalidated', async (kind, search, removal) => {
  const before = await recordOf(search);
  const [id = '', path] = removal(before);
  const delivery = before.url;
  expect((await fetch(delivery)).status).toBe(200);
  const args = ['images', 'remove', id, '--reason', 'deployment test'];
  const done = await operatorCommand<{ by: string; files: number }>(args);
  expect(done).toMatchObject({ id, kind, by: expect.stringMatching(/^arn:aws:/), reason: 'deployment test' });
  expect(done.files).toBeGreaterThan(0);
  expect([403, 404, 410]).toContain((await fetch(delivery)).status);
  const card = await ask(url, { path: `/api/image?pick=${before.pick}&${size}`, headers });
  expect([card.status, header(card, 'x-image-fallback')]).toEqual([302, 'gone']);
  const again = await recordOf(search);
  expect(again.pick).not.toBe(before.pick);
  expect(await invalidated(deployed[outputs.imageDistribution])).toContain(path);
  const edge = deployed[outputs.edgeDistribution];
  if (edge !== undefined) expect(await invalidated(edge)).toContain('/*');
  const { removed } = await operatorCommand<{ removed: object[] }>(['images', 'removed']);
  expect(removed).toContainEqual(expect.objectContaining({ id, kind, by: done.by }));
});

interface Removed {
  readonly pick: string;
  readonly imageId: string;
}

test('a key names who has made it', async () => {
  const shown = await operatorCommand<{ createdBy: string }>(['keys', 'show', keys.pro.keyId]);
  expect(shown.createdBy).toMatch(/^arn:aws:/);
});
