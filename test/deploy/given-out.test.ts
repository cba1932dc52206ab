/** URLs that were given out show the same images after whatever was done to the stack; more are given out each time. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask, header } from '../e2e/ask';
import { readEdge } from './edge';
import { fromPage, imagePath, signer } from './published-image';

const { outputs: deployed, keys, published, memoryFile, edgeFile } = readFacts();
const file = join(dirname(memoryFile), 'given-out.json');

/** A URL with the image that it showed first. */
interface GivenOut {
  readonly url: string;
  /** The stack's image distribution then: another one means another stack, with other hosts of AWS. */
  readonly distribution: string | undefined;
  readonly shown: string;
}

const given: readonly GivenOut[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
const distribution = deployed[outputs.imageDistribution];

jest.setTimeout(60_000);

const get = (url: string) => fetch(url, { redirect: 'manual', headers: fromPage });

/** Which image a URL shows: by its record's headers where it redirects, by its bytes where it is the image. */
async function shownAt(url: string): Promise<string> {
  const answer = await get(url);
  if (answer.status === 200)
    return createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
  const image = await fetch(answer.headers.get('location') ?? '');
  expect([url, answer.status, image.status]).toEqual([url, 302, 200]);
  return answer.headers.get('x-image-id') ?? answer.headers.get('x-image-attribution') ?? '';
}

/** Whether a host still leads to the stack: a domain where it is configured, AWS's own as long as the stack is the same. */
function isReached({ url, distribution: then }: GivenOut): boolean {
  const { hostname } = new URL(url);
  return hostname.endsWith('.test') ? hostname in readEdge(edgeFile).names : then === distribution;
}

test('each URL that was given out shows the image that it showed then', async () => {
  for (const each of given.filter(isReached))
    expect([each.url, await shownAt(each.url)]).toEqual([each.url, each.shown]);
});

test('URLs under the hosts of now are given out: signed, with a site key, and of a public image', async () => {
  const apiUrl = deployed[outputs.apiUrl] ?? '';
  const path = '/api/image/256x256-windmill?provider=ai&visibility=public';
  const open = await ask(apiUrl, { path, headers: { 'X-API-Key': keys.business.key } });
  const urls = [
    apiUrl + (await signer.sign(imagePath)),
    `${apiUrl}${imagePath}?site=${published.siteKey}`,
    header(open, 'location'),
  ].filter((url) => !given.some((each) => each.url === url));
  const more = await Promise.all(
    urls.map(async (url): Promise<GivenOut> => ({ url, distribution, shown: await shownAt(url) })),
  );
  for (const { shown } of more) expect(shown).not.toBe('');
  writeFileSync(file, JSON.stringify([...given, ...more]));
});
