/** What `image-redirect rights` prints: every image of an account, and what strangers have written as text alone. */

import { writeShownImage } from '../../lambda/images/dynamodb/shown-items';
import { shownKey } from '../../lambda/images/shown-images';
import { type LocalFixture, startLocalFixture } from './local-fixture';

jest.setTimeout(60_000);

let fixture: LocalFixture;
let account: string;
const rights = (...args: string[]) => fixture.run('rights', '--account', account, ...args);

beforeAll(async () => {
  fixture = await startLocalFixture();
});
beforeEach(async () => {
  account = (await fixture.run('keys', 'create', '--json')).json<{ account: string }>().account;
});
afterAll(() => fixture.stop());

/** Notes that the account has shown an image. */
const show = (pick: string, attribution: object, pages: readonly string[] = []) =>
  Promise.all(
    pages.map((page) =>
      writeShownImage(
        fixture.engine.client,
        { TableName: fixture.engine.tableNames.stockMemory, Key: { pk: shownKey(account, pick) } },
        {
          account,
          credit: JSON.stringify(attribution),
          image: { location: 'https://images.example/1' } as never,
          nowMs: Date.UTC(2026, 10, 21),
          page,
          loadPicked: () => Promise.reject(new Error('It is no AI image')),
        },
      ),
    ),
  );
const byJane = {
  providerName: 'Openverse',
  creator: '<b>Jane</b>',
  creditLine: '=HYPERLINK("https://evil.example")',
  landingUrl: 'https://images.example/?a="b"',
  license: { id: 'cc-by-4.0', name: 'CC BY 4.0', url: 'javascript:alert(1)//https://x' },
};

test('HTML has no element and no script of a stranger, and links to the web alone', async () => {
  await show('a'.repeat(20), byJane, ['home', 'about']);
  const { stdout } = await rights('--format', 'html');
  expect(stdout).toContain('&#60;b&#62;Jane&#60;/b&#62;');
  expect([...stdout.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    'https://images.example/?a=&#34;b&#34;',
  ]);
  expect(stdout).toMatch(/>yes<.*<time datetime="2026-11-21T00:00:00.000Z">2026-11-21<.*>about, home</);
});

test('CSV has no formula of a stranger', async () => {
  await show('a'.repeat(20), byJane, ['home', 'about']);
  const [, row] = (await rights('--format', 'csv')).stdout.split('\n');
  expect(row).toBe(
    `${'a'.repeat(20)},Openverse,<b>Jane</b>,CC BY 4.0,javascript:alert(1)//https://x,"https://images.example/?a=""b""","'=HYPERLINK(""https://evil.example"")",true,2026-11-21T00:00:00.000Z,about;home`,
  );
});

test('people get a table, and programs the document, whatever else they ask for', async () => {
  await show('a'.repeat(20), byJane, ['home', 'about']);
  expect((await rights()).stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['PICK', 'CREDIT', 'LICENCE', 'DUE', 'SINCE', 'PAGES'],
    ['a'.repeat(20), byJane.creditLine, 'CC BY 4.0', 'yes', '2026-11-21', 'about, home'],
    [''],
  ]);
  const document = (await rights('--format', 'json')).json();
  expect(document).toMatchObject({ account, images: [{ pick: 'a'.repeat(20), creditDue: true }] });
  for (const format of ['csv', 'html'])
    expect((await rights('--format', format, '--json')).json()).toEqual(document);
  expect((await fixture.run('rights', '--account', 'acc_nobody')).exitCode).toBe(3);
});

test('all images are listed, however many, and none by itself', async () => {
  expect((await rights()).stdout).toBe('The account has shown no images.\n');
  expect((await rights('--format', 'html')).stdout).toContain('The account has shown no images.');
  const picks = Array.from({ length: 101 }, (_, i) => String(i).padStart(20, '0'));
  for (const pick of picks) await show(pick, byJane, ['home']);
  const { images } = (await rights('--json')).json<{ images: { pick: string }[] }>();
  expect(images.map(({ pick }) => pick).toSorted()).toEqual(picks);
});
