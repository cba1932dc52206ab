/** With every setting switched: the stack answers under its own names, and asks the models that it is told to ask. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask, header, imageBehind } from '../e2e/ask';
import { operatorCommand } from './keys-command';

const { outputs: deployed, keys, modelUrl, fakeProviders } = readFacts();
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

test('photographs that the operator adds are shown at the slot of the library, from the bucket, with no provider asked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'photos-'));
  const plain = sharp({ create: { width: 800, height: 500, channels: 3, background: '#375' } });
  writeFileSync(join(folder, 'quokka.png'), await plain.png().toBuffer());
  writeFileSync(
    join(folder, 'library.csv'),
    'file,title,creator,license\nquokka.png,Quokka under a fern,Jane Doe,CC BY 4.0\n',
  );
  expect(await operatorCommand(['library', 'add', folder])).toEqual({ added: 1, known: 0, refused: [] });
  rmSync(folder, { recursive: true });
  const path = '/api/image/320x200-quokka-under-fern?provider=stock_c';
  const record = await ask(url, { path: `${path}&format=json`, headers });
  expect(JSON.parse(record.body)).toMatchObject({
    fit: 'exact',
    attribution: { providerName: 'Library', creditLine: 'Photo: Jane Doe, CC BY 4.0' },
  });
  expect(await imageBehind(await ask(url, { path, headers }))).toMatchObject({
    width: 320,
    height: 200,
  });
  for (const provider of Object.values(fakeProviders))
    expect(await (await fetch(`${provider}/_requests`)).text()).not.toContain('quokka');
});
