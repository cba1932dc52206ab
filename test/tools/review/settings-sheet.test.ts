/** The reference of the settings is current, and says of each what it is for. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stageSettings } from '../../../lib/stage-settings';
import { settingsSheet } from '../../../tools/review/settings-sheet';

test('the committed reference of the settings is current (else: npm run synth)', () => {
  const path = join(__dirname, '..', '..', '..', 'docs', 'settings.md');
  expect(readFileSync(path, 'utf8')).toBe(settingsSheet());
});

test('every setting has a description', () => {
  const without = Object.entries(stageSettings.shape).filter(([, { description }]) => !description);
  expect(without.map(([name]) => name)).toEqual([]);
});
