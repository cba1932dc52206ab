/** The reports of `/api/usage` and `/api/account` as schemas: their types and the OpenAPI document derive from them. */

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
  requests: described('Requests that returned an image, including free ones.'),
  bySource: z.partialRecord(z.enum(imageSources), count),
  byCache: z.object({ HIT: count, MISS: count }),
  refused: z
    .record(z.string(), count)
    .check(
      z.describe(
        'Requests, and images of batches, that were refused, by code. They cost nothing. Up to ten seconds older than the rest, and what an instance still holds when it ends is not counted.',
      ),
    ),
};
const free = described(
  'Those of the requests that cost nothing, such as images that were paid on the same day.',
);

/** So many keys are listed for a day. */
export const keysOfDayMax = 50;

/** Requests by key, the busiest first. */
export const usageByKeySchema = z.array(
  z.object({ keyId: z.string(), name: z.exactOptional(z.string()), requests: count, free }),
);

/** The running month by day, source, cache outcome and refusal. */
export const usageBreakdownSchema = z
  .object({
    month,
    ...summary,
    free,
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
      `The running month, up to a minute old; plans ${withDays}; byKey for ${withKeys}. What requests counts beyond used is free.`,
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
      .array(z.object({ month, ...summary, free, byKey: usageByKeySchema }))
      .check(z.describe(`The last ${usageHistoryMonths} months, oldest first; plans ${withKeys}.`)),
  ),
});

/** The answer of `GET /api/usage`. */
export type UsageDocument = z.infer<typeof usageSchema>;
/** The running month of a usage document. */
export type UsageBreakdown = z.infer<typeof usageBreakdownSchema>;

/** The answer of `GET /api/account`; moments are ISO 8601 in UTC. */
export const accountSchema = z.object({
  account: z.string(),
  accountName: z.exactOptional(z.string()),
  plan: z.enum(planNames),
  mode: z.enum(['live', 'test']).check(z.describe('The kind of key that was used.')),
  thresholds: z
    .array(z.object({ percent: count, requests: count, reachedAt: z.exactOptional(moment) }))
    .check(
      z.describe('Shares of the month’s quota that are announced; none for a test key or without a limit.'),
    ),
  credentials: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(['key', 'signer', 'site']),
        name: z.string(),
        createdAt: moment,
        expiresAt: z.exactOptional(moment),
        revokedAt: z.exactOptional(moment),
        maxPerMonth: z.exactOptional(count),
        origins: z.exactOptional(z.array(z.string())),
      }),
    )
    .check(z.describe('API keys, signers and site keys of this kind, oldest first; never a key or secret.')),
});

/** The answer of `GET /api/account`. */
export type AccountDocument = z.infer<typeof accountSchema>;
