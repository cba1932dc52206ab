/** The API behind its distribution, as deployed: the origin's lock, the viewer's IP address, and what is shared. */

import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { edgeHeaders } from '../../lambda/contract/edge';
import { variables } from '../../lambda/contract/environment';
import { outputs } from '../../lambda/contract/outputs';
import { viewerRequestCode } from '../../lib/edge/viewer-request-code';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask, header, imageBehind } from '../e2e/ask';
import { batchAndToolsAnswer } from './batch-and-tools';
import { distributionAt, fetchThrough } from './distribution';
import { faults } from './doctor-faults';
import { fetchOver } from './fetch-over';
import { physicalId } from './physical-id';
import { signer } from './published-image';

const { outputs: deployed, keys, port, edgeFile } = readFacts();
const url = deployed[outputs.apiUrl] ?? '';
const originUrl = deployed[outputs.originUrl] ?? '';
const distribution = distributionAt(new URL(url).hostname, edgeFile);

jest.setTimeout(60_000);

test('the deployed function is the linted source, and the lock is a secret that was made by the deployment', () => {
  expect(distribution).toMatchObject({ functionCode: viewerRequestCode(), runtime: 'cloudfront-js-2.0' });
  expect(distribution?.origin.headers[edgeHeaders.lock]).toMatch(/^(?!.*resolve:).{48}$/);
  const { host, path } = distribution?.origin ?? {};
  expect(`https://${host}${path}`).toBe(originUrl);
});

test('an image is served through the distribution, under its URL, and charged each time', async () => {
  const wanted = { path: '/api/image/240x160-forest?format=json', headers: { 'X-API-Key': keys.pro.key } };
  const answers = [await ask(url, wanted), await ask(url, wanted)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const [first, second] = answers.map((answer) => Number(header(answer, 'x-ratelimit-remaining')));
  expect(Number(first) - Number(second)).toBe(1);
  expect(JSON.parse(answers[0]?.body ?? '').srcset).toContain(`${url}/api/image`);
  const redirect = await ask(url, { path: '/api/image/240x160-forest', headers: wanted.headers });
  expect(await imageBehind(redirect)).toMatchObject({ width: 240, height: 160 });
});

test('no caller reaches the API past it, with a key, a guessed lock or a forged IP address', async () => {
  const forged = { [edgeHeaders.lock]: 'x'.repeat(48), [edgeHeaders.viewerIp]: '192.0.2.1' };
  for (const path of ['/api/image/240x160-forest', '/openapi.json', '/api/usage'])
    for (const more of [{}, forged]) {
      const headers = { 'X-API-Key': keys.pro.key, ...more };
      const refused = await fetchOver(port, new URL(originUrl + path), { headers });
      expect([path, refused.status]).toEqual([path, 421]);
    }
});

test('callers without a key are counted by the IP address that the distribution saw, not by one that they claim', async () => {
  if (!distribution) throw new Error('There is no distribution.');
  const remaining = async (viewerIp: string, claimed: string) => {
    const init = { headers: { [edgeHeaders.viewerIp]: claimed, 'X-Forwarded-For': claimed } };
    const path = '/api/image/240x160-forest';
    const answer = await fetchThrough(distribution, new URL(url + path), init, { port, viewerIp });
    return [answer.status, answer.headers.get('x-ratelimit-remaining')];
  };
  expect(await remaining('198.51.100.20', '192.0.2.1')).toEqual([302, '9']);
  expect(await remaining('198.51.100.20', '192.0.2.2')).toEqual([302, '8']);
  expect(await remaining('198.51.100.21', '198.51.100.20')).toEqual([302, '9']);
});

test('what is open to all is shared, and no request with a key shares anything', async () => {
  const documentation = { path: '/openapi.json?v=1' };
  expect((await ask(url, { path: '/openapi.json' })).headers.get('age')).toBeNull();
  expect((await ask(url, documentation)).headers.get('age')).not.toBeNull();
  const keyed = { ...documentation, headers: { Authorization: `Bearer ${keys.pro.key}` } };
  for (const wanted of [keyed, keyed]) expect((await ask(url, wanted)).headers.get('age')).toBeNull();
});

test('a signed URL is answered from the cache for other readers, and only under its own signature', async () => {
  const path = await signer.sign('/api/image/320x200-harbour?seed=2');
  const [first, second] = [await ask(url, { path }), await ask(url, { path })];
  expect([first.status, first.headers.get('age')]).toEqual([302, null]);
  expect([second.status, second.headers.get('age')]).toEqual([302, expect.any(String)]);
  expect(header(second, 'location')).toBe(header(first, 'location'));
  const changed = await ask(url, { path: path.replace('320x200', '640x400') });
  expect([changed.status, changed.headers.get('age')]).toEqual([401, null]);
});

test('batches, models and preflights pass through', async () => {
  await batchAndToolsAnswer(url, keys.pro.key);
  expect((await ask(url, { path: '/api/image', method: 'OPTIONS' })).status).toBe(204);
});

test("API Gateway's own answers name the distribution's URL", async () => {
  const refused = await ask(url, { path: '/api/image', method: 'DELETE' });
  expect(JSON.parse(refused.body)).toMatchObject({ status: 405, type: `${url}/#method_not_allowed` });
});

test('the doctor passes the stack behind its distribution as well, and finds an API that answers past it', async () => {
  expect(await faults()).toEqual({});
  const client = new LambdaClient();
  const FunctionName = await physicalId('RedirectFunction');
  const { Environment } = await client.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const { [variables.originLock]: _, [variables.rootUrl]: __, ...unlocked } = Environment?.Variables ?? {};
  const set = (Variables: Readonly<Record<string, string>> | undefined) =>
    client.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  await set(unlocked);
  const found = await faults().finally(() => set(Environment?.Variables));
  expect(found).toEqual({ edge: expect.stringMatching(/^failure: npx cdk deploy/) });
});
