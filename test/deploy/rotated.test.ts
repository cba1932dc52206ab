/** A second signing key: new URLs are signed with it, and those of the first stay valid. */

import { readFileSync, writeFileSync } from 'node:fs';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask, header, imageBehind } from '../e2e/ask';

const { outputs: deployed, keys, memoryFile } = readFacts();
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
