/** What `image-redirect providers` says to people: the state of each slot in words, and what can be done about it. */

import { createOutput } from '../../cli/output';
import type { SlotView } from '../../cli/providers/inspect';
import { report } from '../../cli/providers/report';

const nowMs = Date.UTC(2026, 10, 21, 12);
const inMs = (ms: number) => new Date(nowMs + ms).toISOString();
const healthy: SlotView = {
  slot: 'stock_a',
  provider: 'unsplash',
  key: 'set',
  check: { outcome: 'works', images: 1, tookMs: 80 },
  budget: [],
  serves: true,
};

/** What is written to stdout and to stderr about one slot. */
function said(view: Partial<SlotView>): readonly [string, string] {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) });
  const output = createOutput({ stdout: stream('stdout'), stderr: stream('stderr') }, false);
  report(output, 'x', [{ ...healthy, ...view }], nowMs, (provider) => `Set the key of ${provider}.`);
  return [written.stdout, written.stderr];
}

it.each<[string, Partial<SlotView>]>([
  ['works, 80 ms', {}],
  ['no limit', {}],
  ['throttled for 2 min', { check: { outcome: 'failed', kind: 'throttled', retryAfterS: 90 } }],
  ['no answer', { check: { outcome: 'failed', kind: 'unavailable' } }],
  ['not asked', { check: { outcome: 'skipped', reason: 'no-budget' } }],
  ['unsplash (at img.example:8080)', { endpoint: 'https://img.example:8080/v1' }],
  ['unsplash (fake provider)', { endpoint: 'http://127.0.0.1:4010' }],
  [
    '3 of 5 this minute, 0 of 9 today',
    {
      budget: [
        { window: 'minute', limit: 5, left: 3, resetsAt: inMs(1) },
        { window: 'day', limit: 9, left: 0, resetsAt: inMs(2) },
      ],
    },
  ],
  ['8 50 % 2 1', { relevance: { asked: 8, empty: 2, nonPhotos: 1, coverageAt1: 0.5 } }],
  ['0 –', { relevance: { asked: 0, empty: 0, nonPhotos: 0, coverageAt1: null } }],
])('says %j', (words, view) => expect(said(view)[0].replaceAll(/ +/g, ' ')).toContain(words));

const refused = { outcome: 'failed', kind: 'unauthorized' } as const;
it.each<[string, string, Partial<SlotView>]>([
  ['nothing about a slot that serves', '', {}],
  ['a key that is missing', 'unsplash needs a key. Set the key of unsplash.', { key: 'missing' }],
  ['a secret that cannot be read', 'cannot be read', { key: 'unreadable' }],
  ['a key that is refused', 'refuses its key. Set the key of unsplash.', { check: refused }],
  ['a provider that refuses without a key', 'set CONTACT', { key: 'not-needed', check: refused }],
  ['nothing about an outage', '', { check: { outcome: 'failed', kind: 'unavailable' } }],
  [
    'a budget that is used up',
    `for the day is used up until ${inMs(2)}`,
    { budget: [{ window: 'day', limit: 9, left: 0, resetsAt: inMs(2) }] },
  ],
])('advises about %s', (_, words, view) => {
  const [, advice] = said(view);
  if (words === '') expect(advice).toBe('');
  else expect(advice).toMatch(new RegExp(`^\\nstock_a: .*${words}`));
});
