/** The forms for published images in a browser: what they write works, and a secret never leaves the page. */

import type { Request } from 'playwright-core';
import { ask } from '../ask';
import { describeInBrowser } from '../chromium';
import { operatorAt } from '../operator';
import { openStage, openStartPage, type Stage, type StartPage } from './start-page';

jest.setTimeout(180_000);

describeInBrowser('publishing an image', () => {
  let stage: Stage;
  let start: StartPage;
  let signer: { readonly signerId: string; readonly secret: string };
  let siteKey: string;
  const requests: Request[] = [];

  beforeAll(async () => {
    stage = await openStage();
    const operator = operatorAt(stage.service.url);
    const { account } = await operator.keys('create', '--plan', 'pro');
    signer = await operator.openSigner(account);
    ({ siteKey } = await operator.openSite(account, 'http://localhost:*', 100, '--test'));
    start = await openStartPage(stage, stage.context);
    start.page.on('request', (request) => requests.push(request));
  });
  afterAll(() => stage?.close());

  const fillIn = async (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values))
      await start.page.locator(`#sign [name="${name}"]`).fill(value);
  };
  const snippet = (name: string) => start.textOf(`#snippet-${name}`);
  const srcOf = (markup: string) => (/src="([^"]*)"/.exec(markup)?.[1] ?? '').replaceAll('&amp;', '&');

  it('signs the URL of the request in the page, and the service accepts it', async () => {
    await start.fill({ query: 'old harbour', size: '1200x800' });
    await fillIn({ signer: signer.signerId, secret: signer.secret });
    await start.page.locator('#sign-state', { hasText: 'Signed in this page' }).waitFor();
    const src = srcOf(await snippet('signed-html'));
    expect(src).toContain(`signer=${signer.signerId}&signature=`);
    const answer = await ask('', { path: src });
    expect([302, 502, 503]).toContain(answer.status);
    expect((await ask('', { path: src.replace('harbour', 'arbour') })).status).toBe(401);
  });

  it('signs anew when the request changes, with an end where one is given', async () => {
    const before = await snippet('signed-html');
    await start.fill({ query: 'mountain lake' });
    await fillIn({ until: '2030-01-01T00:00' });
    await start.page.locator('#snippet-signed-html', { hasText: 'expires=' }).waitFor();
    const after = await snippet('signed-html');
    expect(after).not.toBe(before);
    expect([302, 502, 503]).toContain((await ask('', { path: srcOf(after) })).status);
    for (const name of ['signed-next', 'signed-php']) expect(await snippet(name)).toMatch(/1[89]\d{8}/);
  });

  it('shows what the last input makes, though an earlier one is signed later', async () => {
    await start.page.evaluate(`(() => {
      const sign = crypto.subtle.sign;
      const released = new Promise((resolve) => { window.release = resolve; });
      crypto.subtle.sign = (...given) => {
        crypto.subtle.sign = sign;
        return (window.late = released.then(() => crypto.subtle.sign(...given)));
      };
    })()`);
    for (const year of ['2031', '2032']) await fillIn({ until: `${year}-01-01T00:00` });
    await start.page.locator('#snippet-signed-html', { hasText: 'expires=195' }).waitFor();
    const last = await snippet('signed-html');
    await start.page.evaluate('release(); late.then(() => new Promise((resolve) => setTimeout(resolve)))');
    expect(await snippet('signed-html')).toBe(last);
    await fillIn({ until: '2030-01-01T00:00' });
  });

  it('says what is wrong with a mistyped secret, without repeating it', async () => {
    const wrong = `${signer.secret.slice(0, -1)}${signer.secret.endsWith('a') ? 'b' : 'a'}`;
    await fillIn({ secret: wrong });
    await start.page.locator('#sign-state', { hasText: 'mistyped' }).waitFor();
    expect(await start.textOf('#sign-state')).not.toContain('sgs_');
    expect(srcOf(await snippet('signed-html'))).toContain('signature=SIGNATURE');
    await fillIn({ secret: signer.secret });
    await start.page.locator('#sign-state', { hasText: 'Signed' }).waitFor();
  });

  it('says what is missing to sign, and where a browser offers no cryptography', async () => {
    const says = (state: string) => start.page.locator('#sign-state', { hasText: state }).waitFor();
    await fillIn({ signer: '' });
    await says('No id and secret of one signer.');
    expect(srcOf(await snippet('signed-html'))).toContain('signer=YOUR_SIGNER_ID');
    await fillIn({ signer: signer.signerId, secret: '' });
    await says('Fill in the secret to sign.');
    await start.page.evaluate(
      `Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true })`,
    );
    await fillIn({ secret: signer.secret });
    await says('Open this page over HTTPS to sign in it.');
    expect(srcOf(await snippet('signed-html'))).toContain('signature=SIGNATURE');
    await start.page.evaluate('delete crypto.subtle');
    await fillIn({ signer: '', secret: '' });
    await start.page.locator('#sign-state:empty').waitFor({ state: 'attached' });
    await fillIn({ signer: signer.signerId, secret: signer.secret });
    await says('Signed in this page.');
  });

  it('writes a tag with the site key, which works from the page’s own origin only', async () => {
    await fillIn({ site: siteKey });
    const src = srcOf(await snippet('site-html'));
    expect(new URL(src).searchParams.get('site')).toBe(siteKey);
    const { origin } = new URL(stage.service.url.replace('127.0.0.1', 'localhost'));
    expect([302, 502, 503]).toContain((await ask('', { path: src, headers: { Origin: origin } })).status);
    expect((await ask('', { path: src, headers: { Origin: 'https://evil.example' } })).status).toBe(403);
    await start.fill({ provider: 'ai' });
    expect(await snippet('site-html')).toContain('stock images only');
    await start.fill({ provider: 'stock_a' });
  });

  it('sends and keeps the secret nowhere, and shows it in no snippet', async () => {
    await start.tryOut({ query: 'sea', size: '1200x800' });
    const bytes = signer.secret.slice(9, 52);
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) {
      const sent = [request.url(), JSON.stringify(await request.allHeaders()), request.postData() ?? ''].join(
        ' ',
      );
      expect(sent).not.toContain(bytes);
    }
    const kept = await start.page.evaluate<string>(
      'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, document.body.innerText])',
    );
    expect(kept).not.toContain(bytes);
    for (const name of ['signed-html', 'signed-next', 'signed-php', 'site-html'])
      expect(await snippet(name)).not.toContain(bytes);
    expect(await start.complaints()).toEqual([]);
  });
});
