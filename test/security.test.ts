/** The table of threats names tests that exist, and each of its rows names one. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Threat|---)/.test(line));

const linksIn = (row: string) => [...row.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)];

test('the table has rows', () => expect(rows.length).toBeGreaterThan(10));

test.each(rows.map((row) => [row.split('|')[1]?.trim() ?? '', row]))(
  '%s: names tests that exist',
  (_, row) => {
    const links = linksIn(row);
    expect(links.length).toBeGreaterThan(0);
    for (const [, text, path = ''] of links) {
      expect(text).toBe(path);
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      expect(readFileSync(join(root, path), 'utf8')).toMatch(/\b(it|test)(\.each)?\(/);
    }
  },
);
