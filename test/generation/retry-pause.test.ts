/** How long a failed generation is left alone: longer with each failure, up to five minutes, and an hour after a refusal. */

import { pauseAfter } from '../../lambda/generation/generation';

it.each([
  ['upstream_unavailable', 0, 5_000],
  ['upstream_unavailable', 1, 10_000],
  ['upstream_unavailable', 5, 160_000],
  ['upstream_unavailable', 6, 300_000],
  ['upstream_unavailable', 1_000, 300_000],
  ['not_started', 2, 20_000],
  ['content_refused', 0, 3_600_000],
  ['content_refused', 9, 3_600_000],
] as const)('after %s, with %d failures before it, %d ms', (why, tries, pauseMs) =>
  expect(pauseAfter(why, tries)).toBe(pauseMs),
);
