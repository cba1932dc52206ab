/** The playground's snippets work when pasted. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { ask, imageBehind } from '../ask';
import { openWatched } from './browsing';
import { describeStartPage } from './start-page';

jest.setTimeout(60_000);

describeStartPage('the snippets of the playground', (at) => {
  /** The snippets with the placeholder replaced by a key, as the page instructs. */
  const snippetsWith = async (key: string) => {
    const [html, markdown, curl, script] = await Promise.all(
      ['html', 'markdown', 'curl', 'fetch'].map(async (name) =>
        (await at.start.textOf(`#snippet-${name}`)).replaceAll('YOUR_API_KEY', key),
      ),
    );
    return { html, markdown, curl, script } as Record<'html' | 'markdown' | 'curl' | 'script', string>;
  };

  test.each([
    ['without a key', { query: 'sea', width: '320', height: '200' }, false],
    ['for an AI image', { query: 'café "by" night', width: '320', height: '200', provider: 'ai' }, true],
  ] as const)('prints snippets that work when pasted: %s', async (_, values, needsKey) => {
    const key = needsKey ? (await at.stage.accounts.open('free', 0)).key : '';
    await at.start.fill(values);
    const { html, markdown, curl, script } = await snippetsWith(key);
    const size = { width: 320, height: 200 };

    const inMarkdown = /^!\[.*\]\((\S+)\)$/.exec(markdown)?.[1] ?? '';
    const redirect = await ask('', { path: inMarkdown });
    expect(redirect.status).toBe(302);
    expect(await imageBehind(redirect)).toMatchObject(size);

    const folder = mkdtempSync(join(tmpdir(), 'snippet-'));
    try {
      const ended = spawnSync('sh', ['-c', curl], { cwd: folder, encoding: 'utf8' });
      expect([ended.status, ended.stderr.match(/curl: .*/)?.[0]]).toEqual([0, undefined]);
      const { info } = await sharp(readFileSync(join(folder, 'image.jpg')))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject(size);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }

    const record = await at.start.page.evaluate<{ url: string; attribution: { creditLine: string } }>(
      `(async () => { ${script}\nreturn { url, attribution }; })()`,
    );
    expect(record.attribution.creditLine).not.toBe('');
    expect((await fetch(record.url)).status).toBe(200);

    const elsewhere = await openWatched(at.stage.context);
    await elsewhere.page.setContent(`<!doctype html><body>${html}`);
    const drawn = await elsewhere.page.evaluate(`(async () => {
      const [image] = document.images;
      await image.decode();
      return { width: image.naturalWidth, height: image.naturalHeight, alt: image.alt, shown: image.width };
    })()`);
    expect(drawn).toEqual({ ...size, alt: values.query, shown: 320 });
    expect(elsewhere.asked[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/image/);
    await elsewhere.page.close();
  });

  test('copies a snippet at the press of a button', async () => {
    await at.stage.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: at.stage.service.url,
    });
    await at.start.page.locator('[data-copy="snippet-markdown"]').click();
    await at.start.page.locator('#said:not(:empty)').waitFor();
    expect(await at.start.page.evaluate('navigator.clipboard.readText()')).toBe(
      await at.start.textOf('#snippet-markdown'),
    );
  });
});
