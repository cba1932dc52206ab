/** Signed URLs and site keys over HTTP: what they open, what they do not, and how soon a revoked one ends. */

import { createSigner, type Signer } from '../../../packages/client/src/client';
import { header, imageBehind } from '../ask';
import { imageHeaders, type Operation, startOperation } from './operation';

jest.setTimeout(180_000);

interface IssuedSigner {
  readonly signerId: string;
  readonly secret: string;
}
interface IssuedSite {
  readonly siteKey: string;
  readonly siteKeyId: string;
}

let operation: Operation;
let account: string;
let key: string;
beforeAll(async () => {
  operation = await startOperation();
  ({ account, key } = await operation.keys('create', '--plan', 'pro', '--name', 'shop'));
});
afterAll(() => operation?.close());

const newSigner = async (...args: string[]): Promise<Signer & IssuedSigner> => {
  const issued = await operation.keys<IssuedSigner>('signer', 'create', '--account', account, ...args);
  return { ...issued, ...createSigner({ id: issued.signerId, secret: issued.secret }) };
};
const load = (path: string, headers: Readonly<Record<string, string>> = {}) => operation.load(path, headers);

describe('a signed URL', () => {
  it('shows its image to every caller, in either form, and nothing else under the same signature', async () => {
    const signer = await newSigner();
    for (const path of [
      '/api/image/320x200-mountain-lake',
      '/api/image?query=old%20harbour&width=320&height=200',
    ]) {
      const signed = await signer.sign(path);
      const answer = await load(signed, imageHeaders);
      expect(answer.status).toBe(302);
      expect(await imageBehind(answer)).toMatchObject({ width: 320, height: 200 });
      const changed = await load(signed.replace('320', '321'), imageHeaders);
      expect([changed.status, header(changed, 'x-image-fallback'), header(changed, 'cache-control')]).toEqual(
        [401, 'invalid_signature', 'no-store'],
      );
    }
  });

  it('may ask for a generated image, whose exact words were signed', async () => {
    const signer = await newSigner();
    const signed = await signer.sign('/api/image/320x200-paper-boats?provider=ai');
    expect((await load(signed, imageHeaders)).status).toBe(302);
    expect((await load(signed.replace('boats', 'ships'), imageHeaders)).status).toBe(401);
  });

  it('opens no other route, and stands beside no key', async () => {
    const signer = await newSigner('--test');
    const [, query] = (await signer.sign('/api/image?query=lake')).split('?');
    expect((await load(`/api/usage?${query}`)).status).toBe(401);
    expect((await load(`/api/image/id/img_1?${query}`)).status).toBe(403);
    const posted = await fetch(`${operation.url}/api/images?${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"images":[{"slot":"a","query":"lake"}]}',
    });
    expect([posted.status, ((await posted.json()) as { code: string }).code]).toEqual([
      401,
      'authentication_required',
    ]);
    const both = await load(`/api/image?${query}`, { 'X-API-Key': key });
    expect([both.status, JSON.parse(both.body).code]).toEqual([400, 'conflicting_parameters']);
  });

  it('ends at the time that was signed', async () => {
    const signer = await newSigner();
    const past = await signer.sign('/api/image/320x200-sea', { expires: Math.floor(Date.now() / 1_000) - 1 });
    expect((await load(past)).status).toBe(410);
  });
});

describe('a site key', () => {
  const path = '/api/image/320x200-sea?site=';

  it('works from its origins, is refused from others, and opens stock images only', async () => {
    const args = ['--origin', 'https://example.com', '--max-per-month', '100'];
    const { siteKey } = await operation.keys<IssuedSite>('site', 'create', '--account', account, ...args);
    const from = (headers: Record<string, string>, more = '') => load(`${path}${siteKey}${more}`, headers);
    expect((await from({ ...imageHeaders, Referer: 'https://example.com/page' })).status).toBe(302);
    expect((await from({ Origin: 'https://example.com' })).status).toBe(302);
    expect((await from(imageHeaders)).status).toBe(302);
    for (const headers of [
      {},
      { Origin: 'https://evil.example' },
      { ...imageHeaders, Referer: 'https://evil.example/' },
    ]) {
      const answer = await from(headers);
      expect(answer.status).toBe(403);
      expect(header(answer, 'cache-control')).toBe('no-store');
    }
    const ai = await from({ Origin: 'https://example.com' }, '&provider=ai');
    expect([ai.status, JSON.parse(ai.body).parameters[0].parameter]).toEqual([400, 'provider']);
    const onmiss = await from({ Origin: 'https://example.com' }, '&onmiss=ai');
    expect([onmiss.status, JSON.parse(onmiss.body).parameters[0].parameter]).toEqual([400, 'onmiss']);
    const record = await from({ Origin: 'https://example.com' }, '&format=json');
    const { srcset, html } = JSON.parse(record.body);
    for (const text of [srcset, html]) expect(text).toContain(`site=${siteKey}`);
    expect(
      (await load(`${path}${siteKey}`, { Origin: 'https://example.com', 'X-API-Key': key })).status,
    ).toBe(400);
    expect((await load(`${path}site_live_nonsense`, imageHeaders)).status).toBe(401);
  });
});

it('an API key in the URL of a page is refused with the advice to keep it secret', async () => {
  const { body } = await load('/api/image/320x200-sea?api_key=pk_live_mistyped', {
    Referer: 'https://a.example/',
  });
  expect(JSON.parse(body).detail).toContain('stay secret');
});
