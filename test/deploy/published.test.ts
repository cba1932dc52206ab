/** Signed URLs and site keys on the deployed stack, whose master secret the functions and the operator read. */

import { outputs } from '../../lambda/contract/outputs';
import { createSigner } from '../../packages/client/src/client';
import { readFacts } from '../../tools/deploy-test/facts';
import { pageOrigin } from '../../tools/deploy-test/operator';
import { type Answer, ask, header, imageBehind } from '../e2e/ask';
import { readUntil } from '../e2e/read-until';
import { keysCommand } from './keys-command';
import {
  chargedFor,
  fromPage,
  imagePath,
  notePaid,
  signer,
  viewBySiteKey,
  viewSigned,
} from './published-image';

const { outputs: deployed, published } = readFacts();
const url = deployed[outputs.apiUrl] ?? '';
const codeOf = ({ status, body }: Answer) => [status, JSON.parse(body).code];

jest.setTimeout(90_000);

test('a signed URL and a site key show an image without a key, and charge it once', async () => {
  const charged = await chargedFor(async () => {
    for (const answer of [await viewSigned(), await viewSigned(), await viewBySiteKey()])
      expect(await imageBehind(answer)).toMatchObject({ width: 320, height: 200 });
  });
  notePaid();
  expect(charged).toBe(1);
});

test('a URL signed up to a size opens each size below it, of one charge, and none above', async () => {
  const signed = await signer.sign('/api/image?query=old%20town&upto=640x400');
  const charged = await chargedFor(async () => {
    for (const width of [256, 640])
      expect(await imageBehind(await ask(url, { path: `${signed}&width=${width}` }))).toMatchObject({
        width,
      });
  });
  expect(charged).toBe(1);
  const larger = await ask(url, { path: `${signed}&width=750` });
  expect([larger.status, JSON.parse(larger.body).parameters[0].parameter]).toEqual([400, 'width']);
});

test('a generated image is opened by the signature of its words, and charged once', async () => {
  const path = await signer.sign('/api/image/256x256-paper-boat?provider=ai');
  const charged = await chargedFor(async () => {
    const first = await ask(url, { path });
    expect(header(first, 'location')).toContain(`${deployed[outputs.imageUrl]}/private/`);
    await imageBehind(first);
    expect(header(await ask(url, { path }), 'x-image-id')).toBe(header(first, 'x-image-id'));
  });
  expect(charged).toBe(1);
});

test('what was changed, has ended or comes from another page is refused, and charged nothing', async () => {
  const nowS = Math.floor(Date.now() / 1_000);
  const charged = await chargedFor(async () => {
    const changed = (await signer.sign(imagePath)).replace('harbour', 'desert');
    expect(codeOf(await ask(url, { path: changed }))).toEqual([401, 'invalid_signature']);
    const past = await signer.sign('/api/image/320x200-desert', { expires: nowS - 1 });
    expect(codeOf(await ask(url, { path: past }))).toEqual([410, 'link_expired']);
    const path = `/api/image/320x200-desert?site=${published.siteKey}`;
    const elsewhere = await ask(url, { path, headers: { Origin: 'https://elsewhere.example' } });
    expect(codeOf(elsewhere)).toEqual([403, 'origin_not_allowed']);
    const generated = await ask(url, { path: `${path}&provider=ai`, headers: fromPage });
    expect([generated.status, JSON.parse(generated.body).parameters[0].parameter]).toEqual([400, 'provider']);
  });
  expect(charged).toBe(0);
});

test('a signer and its successor overlap; revoked, it ends within a minute, and so does a site key', async () => {
  const { account } = published.account;
  type Signer = { readonly signerId: string; readonly secret: string };
  const [old, site] = await Promise.all([
    keysCommand<Signer>(['signer', 'create', '--account', account]),
    keysCommand<{ siteKey: string; siteKeyId: string }>([
      'site',
      'create',
      '--account',
      account,
      '--origin',
      pageOrigin,
      '--max-per-month',
      '10',
    ]),
  ]);
  const successor = await keysCommand<Signer>(['signer', 'rotate', old.signerId]);
  const signedBy = ({ signerId: id, secret }: Signer) => createSigner({ id, secret }).sign(imagePath);
  const bySite = { path: `${imagePath}?site=${site.siteKey}`, headers: fromPage };
  const [byOld, bySuccessor] = [{ path: await signedBy(old) }, { path: await signedBy(successor) }];
  const statuses = async () =>
    Promise.all([byOld, bySite, bySuccessor].map(async (wanted) => (await ask(url, wanted)).status));
  expect(await statuses()).toEqual([302, 302, 302]);

  await Promise.all([
    keysCommand(['signer', 'revoke', old.signerId]),
    keysCommand(['site', 'revoke', site.siteKeyId]),
  ]);
  const areRevoked = ([old, site]: number[]) => old === 401 && site === 401;
  const waiting = { withinMs: 62_000, pauseMs: 1_000 };
  expect(await readUntil(statuses, areRevoked, waiting)).toEqual([401, 401, 302]);
});
