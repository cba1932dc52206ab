/** A second key for URLs, and one for AI images: new ones are signed with it, and those of the first stay valid. */

import { readFileSync, writeFileSync } from 'node:fs';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask, header, imageBehind } from '../e2e/ask';
import { readManifests } from './read-manifests';

const { outputs: deployed, keys, python, memoryFile } = readFacts();
const url = deployed[outputs.apiUrl] ?? '';
const keyOf = (location: string) => new URL(location).searchParams.get('Key-Pair-Id');

jest.setTimeout(60_000);

test('URLs of the first key open their image until they expire, new ones are signed with the second', async () => {
  const memory = JSON.parse(readFileSync(memoryFile, 'utf8'));
  expect((await fetch(memory.location)).status).toBe(200);
  const path = '/api/image/256x256-lighthouse?provider=ai';
  const answer = await ask(url, { path, headers: { 'X-API-Key': keys.business.key } });
  expect(header(answer, 'x-image-id')).toBe(memory.imageId);
  await imageBehind(answer);
  const second = header(answer, 'location');
  expect(keyOf(second)).not.toBe(keyOf(memory.location));
  writeFileSync(memoryFile, JSON.stringify({ ...memory, second }));
});

test('AI images that each key has signed are trusted by the certificates that are published, and by no other of them', async () => {
  const { location } = JSON.parse(readFileSync(memoryFile, 'utf8'));
  const path = '/api/image/400x400-lighthouse.jpg?provider=ai';
  const since = await ask(url, { path, headers: { 'X-API-Key': keys.business.key } });
  const before = await fetch(location);
  const [, format] = (before.headers.get('content-type') ?? '').split('/');
  const images = {
    [`before.${format}`]: new Uint8Array(await before.arrayBuffer()),
    'since.jpeg': (await imageBehind(since)).bytes,
  };
  const published = await (await fetch(`${url}/.well-known/content-credentials.pem`)).text();
  const certificates = published.split(/(?=-----BEGIN)/);
  const states = [published, ...certificates].map((anchors) =>
    readManifests(python, anchors, images).map(({ state }) => state),
  );
  expect(states).toEqual([
    ['Trusted', 'Trusted'],
    ['Trusted', 'Valid'],
    ['Valid', 'Trusted'],
  ]);
});
