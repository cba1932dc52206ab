/** Which requests are charged as one image, and for how long. */

import { dayWindow, monthWindow } from '../../lambda/base/window';
import { paidImageOf } from '../../lambda/quota/paid-images';
import { type ImageRequest, plainRequest, type StockRequest } from '../../lambda/requests/image-request';
import { aiRequest } from '../fakes/ai';
import { accountId } from '../fakes/branded';

const noon = Date.parse('2026-11-21T12:10:00Z');
const account = { kind: 'live', account: accountId('acc_1') } as const;
const lake: StockRequest = { ...plainRequest, query: 'lake', widthPx: 800, heightPx: 600 };
const drawn = { ...aiRequest, widthPx: 800, heightPx: 600 };
const month = { window: monthWindow(noon) };
const keyOf = (request: ImageRequest) => paidImageOf(account, request, month, noon).key;

test.each<[string, ImageRequest, ImageRequest]>([
  ['another size', lake, { ...lake, widthPx: 80, heightPx: 60 }],
  ['the first seed and none', lake, { ...lake, seed: '1' }],
  ['what is shown where nothing is found', lake, { ...lake, filters: { onmiss: 'ai' } }],
  ['another size of an AI image', drawn, { ...drawn, widthPx: 80, heightPx: 60 }],
])('%s is the same image', (_, a, b) => {
  expect(keyOf(b)).toBe(keyOf(a));
});

test.each<[string, ImageRequest, ImageRequest]>([
  ['other words', lake, { ...lake, query: 'sea' }],
  ['the second seed', lake, { ...lake, seed: '2' }],
  ['another filter', lake, { ...lake, filters: { avoid: ['people'] } }],
  ['another slot', lake, { ...lake, provider: 'stock_b' }],
  ['the AI image of the same words', lake, drawn],
  ['another style', drawn, { ...drawn, style: 'minimal' }],
  ['a variation', drawn, { ...drawn, variation: 1 }],
])('%s is another image', (_, a, b) => {
  expect(keyOf(b)).not.toBe(keyOf(a));
});

test('a mark belongs to the account, its live or test keys, and the day', () => {
  const named = (kind: 'live' | 'test') =>
    paidImageOf({ ...account, kind }, lake, month, noon).key.replace(/#[0-9a-f]{64}#/, '#<image>#');
  expect(named('live')).toBe('PAID#acc_1#<image>#2026-11-21');
  expect(named('test')).toBe('PAID#acc_1#test#<image>#2026-11-21');
});

// The quota is chosen first; the clock may pass the end of the month, or differ from another instance's, before the mark is.
test.each([
  ['before its window', month.window.startMs - 1, '2026-11-01'],
  ['in its first millisecond', month.window.startMs, '2026-11-01'],
  ['in its last millisecond', month.window.endMs - 1, '2026-11-30'],
  ['in the first millisecond after it', month.window.endMs, '2026-11-30'],
])('an image is paid within the month of its quota: %s', (_, nowMs, label) => {
  const { key, day } = paidImageOf(account, lake, month, nowMs);
  expect(key.endsWith(`#${label}`)).toBe(true);
  expect(day).toEqual(dayWindow(Date.parse(`${label}T00:00:00Z`)));
});
