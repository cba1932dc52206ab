/** The committed cost page and settings are current, and known images and the AI images of a plan cost at most what is promised. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planNames } from '../../lambda/contract/plans';
import { costSheet, knownImagesCost, monthlyCosts, monthOfImages } from '../../tools/review/cost-sheet';
import { settingsSheet } from '../../tools/review/settings-sheet';
import { synthesise } from '../lib/synthesise';

const committed = (file: string) => readFileSync(join(__dirname, '../../docs', file), 'utf8');
const templates = { dev: synthesise('dev').toJSON(), prod: synthesise('prod').toJSON() };

test('the committed cost page and settings are current (else: npm run synth)', () => {
  expect(committed('cost.md')).toBe(costSheet(templates));
  expect(committed('settings.md')).toBe(settingsSheet());
});

test('twenty settings have at most 45 values, each with what it is for', () => {
  const rows = settingsSheet()
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const names = rows.map(([, name = '']) => name.replaceAll('`', ''));
  expect(new Set(names.map((name) => name.split('.')[0])).size).toBe(20);
  expect(names.length).toBeLessThanOrEqual(45);
  expect(rows.filter((cells) => !cells[4]).map(([, name]) => name)).toEqual([]);
});

test('a million known stock images cost at most 4.80 dollars with their logs, and with a write of usage 5.45', () => {
  expect(knownImagesCost.plain).toBeLessThanOrEqual(4.8);
  expect(knownImagesCost.withAnalytics).toBeLessThanOrEqual(5.45);
});

test('the AI images of a month, by the default model, cost less than pro and business pay, and a dollar at most for a free account', () => {
  const months = planNames.map((plan) => monthOfImages(plan, 'stability.stable-image-core-v1:1'));
  expect(months).toEqual([
    { cost: 1, paid: 0 },
    { cost: 20, paid: 29 },
    { cost: 160, paid: 199 },
    { cost: 800 },
  ]);
});

test('the edge adds no secret, and two rules to the firewall', () => {
  const plain = monthlyCosts(templates.prod);
  const edge = monthlyCosts(synthesise('prod', { edge: true }).toJSON());
  expect(edge).toMatchObject({ Secrets: plain.Secrets, Firewall: plain.Firewall + 2 });
});
