/** With every setting switched: the stack answers under its own names, and asks the models that it is told to ask. */

import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask, header, imageBehind } from '../e2e/ask';

const { outputs: deployed, keys, modelUrl } = readFacts();
const url = deployed[outputs.apiUrl] ?? '';
const headers = { 'X-API-Key': keys.business.key };

jest.setTimeout(60_000);

const askedModels = async () => (await fetch(`${modelUrl}/_requests`)).text();

test('API and images have names of their own', () => {
  expect([url, deployed[outputs.imageUrl]]).toEqual([
    'https://api.images.test',
    'https://images.images.test',
  ]);
});

test('an AI image is drawn by the server that is configured, rendered and delivered', async () => {
  const answer = await ask(url, { path: '/api/image/320x200-paper-kite?provider=ai', headers });
  expect(header(answer, 'location')).toMatch(/^https:\/\/images\.images\.test\/private\//);
  expect(await imageBehind(answer)).toMatchObject({ width: 320, height: 200 });
  expect(await askedModels()).toContain('/images/generations');
});
