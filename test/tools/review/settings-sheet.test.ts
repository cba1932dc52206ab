/** The reference of the settings is current, says of each what it is for, and is one table of a length that is read. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsSheet } from '../../../tools/review/settings-sheet';

const path = join(__dirname, '..', '..', '..', 'docs', 'settings.md');
const rows = settingsSheet()
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('the committed reference of the settings is current (else: npm run synth)', () => {
  expect(readFileSync(path, 'utf8')).toBe(settingsSheet());
});

test('twenty settings have at most 45 values, each with what it is for', () => {
  const names = rows.map(([, name = '']) => name.replaceAll('`', ''));
  expect(new Set(names.map((name) => name.split('.')[0])).size).toBe(20);
  expect(names.length).toBeLessThanOrEqual(45);
  expect(rows.filter((cells) => !cells[4]).map(([, name]) => name)).toEqual([]);
});
