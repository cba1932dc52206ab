/** Tests that committed documents are current, and that images cost at most what is promised. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePlanTexts } from '../../lambda/contract/plans';
import { computeCost, computeMonthOfImages, writeCostSheet } from '../../tools/review/cost-sheet';
import { writeSettingsSheet } from '../../tools/review/settings-sheet';
import { synthesise } from '../lib/synthesise';

const readCommitted = (file: string) => readFileSync(join(__dirname, '../../docs', file), 'utf8');
const templates = { dev: synthesise('dev').toJSON(), prod: synthesise('prod').toJSON() };

test('docs/cost.md and docs/settings.md are current (else: npm run synth)', () => {
  expect(readCommitted('cost.md')).toBe(writeCostSheet(templates));
  expect(readCommitted('settings.md')).toBe(writeSettingsSheet());
});

test('each of the at most 20 settings is described', () => {
  const rows = [...writeSettingsSheet().matchAll(/^\| `(\S+)` \| .* \| (.*) \|$/gm)];
  expect(new Set(rows.map(([, name = '']) => name.split('.')[0])).size).toBeLessThanOrEqual(20);
  expect(rows.length).toBeLessThanOrEqual(45);
  expect(rows.filter(([, , what]) => !what).map(([, name]) => name)).toEqual([]);
});

test('a million known images cost at most 4.80 dollars', () => {
  expect(computeCost('Stock image, known') * 1e6).toBeLessThanOrEqual(4.8);
  expect(computeCost('Stock image, known, on a plan with analytics') * 1e6).toBeLessThanOrEqual(5.45);
});

test('a month of AI images costs less than its plan pays', () => {
  const months = computeMonthOfImages('stability.stable-image-core-v1:1');
  expect(months).toEqual({ free: 1, pro: 20, business: 160, enterprise: 800 });
  for (const plan of ['pro', 'business'] as const)
    expect(months[plan]).toBeLessThan(Number.parseFloat(makePlanTexts()[plan].price?.slice(1) ?? ''));
});
