/** The report of `/api/usage` as a schema: its types and the OpenAPI document derive from it. */

import * as z from 'zod/mini';
import { defaultPlans, planNames, unlimitedRequests, usageHistoryMonths } from '../../contract/plans';
import { imageSources } from '../../contract/providers';

const withDays = planNames.filter((name) => defaultPlans[name].analytics !== 'totals').join(', ');
const withKeys = planNames.filter((name) => defaultPlans[name].analytics === 'by-key').join(' and ');

const count = z.int().check(z.gte(0));
const moment = z.iso.datetime();
const month = z.string().check(z.regex(/^\d{4}-\d{2}$/));
const described = (text: string) => z.int().check(z.gte(0), z.describe(text));

const summary = {
  requests: described('Charged requests.'),
  free: described(
    'Requests that returned an image and cost nothing, such as a variation, counted beside requests. A repeat of an image that was paid on the same day is not counted.',
  ),
  bySource: z.partialRecord(z.enum(imageSources), count),
  byCache: z.object({ HIT: count, MISS: count }),
  refused: z
    .record(z.string(), count)
    .check(
      z.describe(
        'Requests, and images of batches, that were refused, by code. They cost nothing. What is refused again within a minute of a limit that is used up may not be counted.',
      ),
    ),
};

/** Most keys that are listed for a day. */
export const keysOfDayMax = 50;

/** Requests by key, the busiest first. */
export const usageByKeySchema = z.array(
  z.object({ keyId: z.string(), name: z.exactOptional(z.string()), requests: count, free: count }),
);

/** The running month by day, source, cache outcome and refusal. */
export const usageBreakdownSchema = z
  .object({
    month,
    ...summary,
    byDay: z.array(
      z.object({
        date: z.iso.date(),
        ...summary,
        byKey: z.exactOptional(
          usageByKeySchema.check(z.describe(`The ${keysOfDayMax} keys that were used most.`)),
        ),
      }),
    ),
    byKey: z.exactOptional(usageByKeySchema),
  })
  .check(
    z.describe(
      `The running month, plans ${withDays}; byKey for ${withKeys}. Each charged request is in one of its days, sources and keys: used is the sum of any of them.`,
    ),
  );

/** The answer of `GET /api/usage`; moments are ISO 8601 in UTC. */
export const usageSchema = z.object({
  account: z.string(),
  accountName: z.exactOptional(
    z.string().check(z.describe('Name of the account, if the operator has given it one.')),
  ),
  plan: z.enum(planNames),
  mode: z.enum(['live', 'test']).check(z.describe('The kind of key that was used.')),
  window: z.object({ kind: z.enum(['month', 'hour']), start: moment, end: moment }),
  limit: described(`Requests in the window; ${unlimitedRequests} means unlimited.`),
  used: described('Charged requests, exact.'),
  remaining: count,
  reset: moment,
  generations: z
    .object({ limit: count, used: count, remaining: count, reset: moment })
    .check(
      z.describe(
        'AI images begun in the running month for the keys of this kind, free variations included; beyond the limit, stock images go on.',
      ),
    ),
  breakdown: z.exactOptional(usageBreakdownSchema),
  history: z.exactOptional(
    z
      .array(z.object({ month, ...summary, byKey: usageByKeySchema }))
      .check(z.describe(`The last ${usageHistoryMonths} months, oldest first; plans ${withKeys}.`)),
  ),
});

/** The answer of `GET /api/usage`. */
export type UsageDocument = z.infer<typeof usageSchema>;
/** The running month of a usage document. */
export type UsageBreakdown = z.infer<typeof usageBreakdownSchema>;
