/** The playground's code works when pasted. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { ask, imageBehind } from '../ask';
import { openWatched } from './browsing';
import { describeStartPage } from './start-page';

describeStartPage('the code of the playground', (at) => {
  test.each([
    ['without a key', { query: 'sea', width: '320', height: '200' }],
    ['for an AI image', { query: 'café "by" night', width: '320', height: '200', provider: 'ai' }],
  ])('works when pasted: %s', async (_, values) => {
    const key = 'provider' in values ? (await at.stage.accounts.open('free', 0)).key : '';
    await at.start.tryOut({ ...values, key });
    const pasted = async (tab: string) => (await at.start.codeOf(tab)).replaceAll('YOUR_API_KEY', key);
    const size = { width: 320, height: 200 };

    const inMarkdown = /^!\[.*\]\((\S+)\)$/.exec(await pasted('Markdown'))?.[1] ?? '';
    const redirect = await ask('', { path: inMarkdown });
    expect(redirect.status).toBe(302);

    const folder = mkdtempSync(join(tmpdir(), 'snippet-'));
    try {
      const ended = spawnSync('sh', ['-c', await pasted('curl')], { cwd: folder, encoding: 'utf8' });
      expect([ended.status, ended.stderr.match(/curl: .*/)?.[0]]).toEqual([0, undefined]);
      const { info } = await sharp(readFileSync(join(folder, 'image.jpg')))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject(size);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }

    const { stdout } = spawnSync('python3', ['-c', await pasted('Python')], { encoding: 'utf8' });
    const [, url = '', credit] = /^(http\S+) (\S.*)$/m.exec(stdout) ?? [];
    expect(credit).toBeDefined();
    const drawnBy = await imageBehind({ ...redirect, headers: new Headers({ location: url }) });
    expect(drawnBy).toMatchObject(size);

    const elsewhere = await openWatched(at.stage.context);
    await elsewhere.page.setContent(`<!doctype html><body>${await pasted('HTML')}`);
    const drawn = await elsewhere.page.evaluate(`(async () => {
      const [image] = document.images;
      await image.decode();
      return { alt: image.alt !== '', width: image.width, height: image.height };
    })()`);
    expect(drawn).toEqual({ alt: true, ...size });
    expect(elsewhere.asked[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/image/);
    await elsewhere.page.close();
  });
});
