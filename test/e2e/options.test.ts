/** The effect of each documented option of `GET /api/image`, `POST /api/images` and `POST /api/pages`. */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { parameters } from '../../lambda/contract/parameters';
import type { ImageRecord } from '../../lambda/images/record';
import { pageSchema } from '../../lambda/pages/fill-page';
import { batchSchema } from '../../lambda/pages/parse-batch';
import { makeTestFolder, startFixture } from '../fakes/fixture';
import { makePng } from '../fakes/images';
import { ask, postJson } from './ask';
import { connectLocalAccounts } from './local-account';
import { startService } from './local-service';
import { createOperator } from './operator';

/** Titles of the photographs in the operator's library. The first has a licence that asks for credit. */
const photographs = [
  ...['heron in tall reeds', 'heron in reeds at dusk', 'kite of red cloth', 'kite of blue cloth', 'flag'],
  ...['bench with a woman', 'bench in a park at night', 'poison bottle', 'child on a swing', 'lighthouse'],
];

const origin = 'https://a.example';
const folder = makeTestFolder();
const service = startFixture(() => startService(['--memory', '--bind', 'stock_a=library']));
const accounts = startFixture(() => connectLocalAccounts(service.url));
const account = startFixture(() => accounts.open('business', 0));
const otherAccount = startFixture(() => accounts.open('business', 0));
const signer = startFixture(() => createOperator(service.url).openSigner(account.account));
const site = startFixture(() => createOperator(service.url).openSite(account.account, origin, 500));
const knownImages = startFixture(async () => {
  // Each is red on the left and blue on the right, and has a width of its own.
  for (const [i, words] of photographs.entries())
    writeFileSync(join(folder, `${words}.png`), await makePng(900 + i, 600));
  const rows = photographs.map((words, i) => `${words}.png,${words},${i === 0 ? 'CC BY 4.0' : 'CC0'}`);
  writeFileSync(join(folder, 'library.csv'), ['file,title,license', ...rows].join('\n'));
  await createOperator(service.url).run('library', 'add', folder);
  const { imageId: idOfOther } = await getRecord({ ...aiOptions, visibility: 'public' }, otherAccount.key);
  const { pick } = await getRecord({ query: 'poison bottle' });
  return { idOfOther, pick: pick as string };
});

type Options = Readonly<Record<string, string | number | boolean>>;
const size = { width: 300, height: 200 };
const aiOptions = { query: 'an otter that reads', provider: 'ai' };

async function getRecord(options: Options, key = account.key): Promise<ImageRecord> {
  const fields = Object.entries({ ...size, ...options }).map(([name, value]) => [name, String(value)]);
  const path = `/api/image?${new URLSearchParams([...fields, ['format', 'json']])}`;
  const answer = await ask(service.url, { path, headers: { 'X-API-Key': key } });
  return JSON.parse(answer.body) as ImageRecord;
}

/** Asks for a batch of one image. @param batchFields of the batch itself */
async function postRecord(options: Options, batchFields: object = {}): Promise<ImageRecord> {
  const images = [{ slot: 'a', ...size, ...options }];
  const response = await postJson(service.url, '/api/images', account.key, { images, ...batchFields });
  return ((await response.json()) as { images: Readonly<Record<string, ImageRecord>> }).images[
    'a'
  ] as ImageRecord;
}

const getTitle = (record: ImageRecord) => record.title;
const getSource = (record: ImageRecord) => record.source;
const getImageId = (record: ImageRecord) => record.imageId;
const readPixels = ({ url }: ImageRecord) => decodeImage(url).then(({ info }) => [info.width, info.height]);
const loadFile = ({ url }: ImageRecord) =>
  decodeImage(url).then(({ data }) => createHash('sha256').update(data).digest('hex'));
const findRedSide = async ({ url }: ImageRecord) => {
  const { data } = await decodeImage(url);
  return Number(data[0]) > Number(data[2]) ? 'left' : 'right';
};
const decodeImage = async (url: string) =>
  sharp(Buffer.from(await (await fetch(url)).arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
const findCredential = ({ src }: ImageRecord) => /[?&](signer|site)=/.exec(src ?? '')?.[1];

const makeRow = (
  option: keyof typeof parameters,
  value: string | number | (() => string),
  beside: Options,
  shows: (record: ImageRecord) => unknown,
  effect?: unknown,
) => ({ option, value, beside, shows, effect });
const callIfFunction = (value: unknown) => (typeof value === 'function' ? value() : value);

/** Each option, its value, the request beside it, what it changes of the record, and to what. */
const effects = [
  makeRow('query', 'flag', { query: 'poison bottle' }, getTitle, 'flag'),
  makeRow('width', 240, { query: 'flag' }, readPixels, [240, 200]),
  makeRow('height', 240, { query: 'flag' }, readPixels, [300, 240]),
  makeRow('provider', 'stock_b', { query: 'lighthouse' }, getSource, 'stock_b'),
  makeRow('seed', 2, { query: 'heron in tall reeds' }, getTitle),
  makeRow('pick', () => knownImages.pick, { query: 'flag' }, getTitle, 'poison bottle'),
  makeRow('lang', 'de', { query: 'kind' }, getTitle, 'child on a swing'),
  makeRow('license', 'public-domain', { query: 'heron in tall reeds' }, getTitle, 'heron in reeds at dusk'),
  makeRow('color', 'blue', { query: 'kite', color: 'red' }, getTitle, 'kite of blue cloth'),
  makeRow('avoid', 'people', { query: 'bench with a woman' }, getTitle, 'bench in a park at night'),
  makeRow('crop', 'right', { query: 'flag', width: 100, height: 400 }, findRedSide, 'right'),
  makeRow('onmiss', 'ai', { query: 'zyzzyva quixotry' }, getSource, 'ai'),
  makeRow('style', 'dark', aiOptions, getImageId),
  makeRow('variation', 1, aiOptions, getImageId),
  makeRow('alt', 1, aiOptions, getImageId, () => knownImages.idOfOther),
  makeRow('visibility', 'public', aiOptions, ({ url }) => /(public|private)\//.exec(url)?.[1], 'public'),
  makeRow('label', 'corner', aiOptions, loadFile),
];
describe.each([
  ['GET /api/image', (options: Options) => getRecord(options)],
  ['an image of POST /api/images', (options: Options) => postRecord(options)],
])('%s', (_, record) => {
  test.each(effects)('$option has its effect', async ({ option, value, beside, shows, effect }) => {
    const effectWithout = await shows(await record(beside));
    const shownEffect = await shows(await record({ ...beside, [option]: callIfFunction(value) }));
    expect(shownEffect).not.toEqual(effectWithout);
    if (effect !== undefined) expect(shownEffect).toEqual(callIfFunction(effect));
  });
});

test('publish sets the credential in the URLs of a record', async () => {
  const published = [
    await getRecord({ query: 'flag', publish: site.siteKey }),
    await postRecord({ query: 'flag' }, { publish: site.siteKey }),
    await getRecord({ query: 'flag', publish: signer.signerId }),
    await postRecord({ query: 'flag' }, { publish: false }),
  ];
  expect(published.map(findCredential)).toEqual(['site', 'site', 'signer', undefined]);
});

test('exclude keeps a picked image out of a batch', async () => {
  const first = await postRecord({ query: 'bench' });
  const second = await postRecord({ query: 'bench' }, { exclude: [first.pick] });
  expect(second.pick).not.toBe(first.pick);
});

type Row = { readonly outcome: string; readonly src: string | null; readonly pick: string | null };
const writeMarkedImg = (words: string) => `<img width="300" height="200" data-image-query="${words}">`;
const real = '<img alt="flag" width="300" height="200" src="https://images.pexels.com/photos/417074/a.jpeg">';

test.each<
  [option: string, html: string, beside: Options, value: Options[string], shows: (row: Row) => unknown]
>([
  ['onmiss', writeMarkedImg('quagga and quokka zither'), {}, 'ai', ({ src }) => src?.includes('provider=ai')],
  ['style', writeMarkedImg('quixotic zyzzyva'), { onmiss: 'ai' }, 'dark', ({ pick }) => pick],
  ['lang', writeMarkedImg('kind'), {}, 'de', ({ pick }) => pick],
  ['publish', writeMarkedImg('flag'), {}, false, ({ src }) => /[?&](signer|site)=/.test(src ?? '')],
  ['replaceStock', real, {}, true, ({ outcome }) => outcome],
])('%s of POST /api/pages has its effect', async (option, html, beside, value, shows) => {
  const fill = async (options: Options) => {
    const response = await postJson(service.url, '/api/pages', account.key, { html, ...options });
    return shows(((await response.json()) as { report: readonly Row[] }).report[0] as Row);
  };
  expect(await fill({ ...beside, [option]: value })).not.toEqual(await fill(beside));
});

test('every accepted option has a test in this file', () => {
  const testedOptions = effects.map(({ option }) => option);
  // Those of credentials are shown in test/functions/api/signed-urls.test.ts, and `format` in cases.ts.
  const urlOptions = ['format', 'publish', 'signer', 'signature', 'expires', 'upto', 'site', 'api_key'];
  expect([...testedOptions, ...urlOptions].toSorted()).toEqual(Object.keys(parameters).toSorted());
  expect(Object.keys(batchSchema.shape).toSorted()).toEqual(['exclude', 'images', 'publish']);
  const pageOptions = ['html', 'lang', 'onmiss', 'publish', 'replaceStock', 'style'];
  expect(Object.keys(pageSchema.shape).toSorted()).toEqual(pageOptions);
});
