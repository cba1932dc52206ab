/** The check of regular expressions finds those that may take longer than linear time. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

it('finds a pattern that takes longer than linear time, written out or put together, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patterns-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('slow.ts', "path.replace(/^\\/+|\\/+$/g, '');");
  const filledIn = ['$', '{value}'].join('');
  write('filled.ts', `new RegExp(\`<svg[^>]*\\\\s${filledIn}=\`).exec(svg);`);
  write('linear.ts', `/^a+b$/i.test(text); new RegExp(\`^${filledIn}{1,${filledIn}}$\`, 'u');`);
  const { status, stderr } = spawnSync(process.execPath, ['tools/check-patterns.mjs', folder], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(status).toBe(1);
  expect(stderr.match(/\w+(?=\.ts: )/g)?.toSorted()).toEqual(['filled', 'slow']);
});
