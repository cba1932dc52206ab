/** Describes the report of `/api/usage` as a schema. Its types and the OpenAPI document derive from it. */

import * as z from 'zod/mini';
import { planNames, unlimitedRequests, usageHistoryMonths, writeReportedPlans } from '../../contract/plans';
import { imageSources } from '../../contract/providers';

const count = z.int().check(z.gte(0));
const moment = z.iso.datetime();
const month = z.string().check(z.regex(/^\d{4}-\d{2}$/));
const describeSchema = <S extends z.ZodMiniType>(schema: S, text: string) => schema.check(z.describe(text));

const summary = {
  requests: describeSchema(count, 'Charged requests.'),
  free: describeSchema(
    count,
    'Requests that returned an image and cost nothing, such as a variation, counted beside requests. A repeat of an image that was paid on the same day is not counted.',
  ),
  bySource: z.partialRecord(z.enum(imageSources), count),
  byCache: z.object({ HIT: count, MISS: count }),
  refused: describeSchema(
    z.record(z.string(), count),
    'Requests, and images of batches, that were refused, by code. They cost nothing. What is refused again within a minute of a limit that is used up may not be counted.',
  ),
};

/** Most keys that are listed for a day. */
export const keysOfDayMax = 50;

/** Requests by key, the busiest first. */
export const usageByKeySchema = z.array(
  z.object({ keyId: z.string(), name: z.exactOptional(z.string()), requests: count, free: count }),
);

const keysOfDay = describeSchema(usageByKeySchema, `The ${keysOfDayMax} keys that were used most.`);

/** The running month by day, source, cache outcome and refusal. */
export const usageBreakdownSchema = describeSchema(
  z.object({
    month,
    ...summary,
    byDay: z.array(z.object({ date: z.iso.date(), ...summary, byKey: z.exactOptional(keysOfDay) })),
    byKey: z.exactOptional(usageByKeySchema),
  }),
  `The running month, plans ${writeReportedPlans('by-day')}; byKey for ${writeReportedPlans('by-key')}. Each charged request is in one of its days, sources and keys: used is the sum of any of them.`,
);

const history = describeSchema(
  z.array(z.object({ month, ...summary, byKey: usageByKeySchema })),
  `The last ${usageHistoryMonths} months, oldest first; plans ${writeReportedPlans('by-key')}.`,
);

/** The answer of `GET /api/usage`; moments are ISO 8601 in UTC. */
export const usageSchema = z.object({
  account: z.string(),
  accountName: z.exactOptional(
    describeSchema(z.string(), 'Name of the account, if the operator has given it one.'),
  ),
  plan: z.enum(planNames),
  mode: describeSchema(z.enum(['live', 'test']), 'The kind of key that was used.'),
  window: z.object({ kind: z.enum(['month', 'hour']), start: moment, end: moment }),
  limit: describeSchema(count, `Requests in the window; ${unlimitedRequests} means unlimited.`),
  used: describeSchema(count, 'Charged requests, exact.'),
  remaining: count,
  reset: moment,
  generations: describeSchema(
    z.object({ limit: count, used: count, remaining: count, reset: moment }),
    'AI images begun in the running month for the keys of this kind, free variations included; beyond the limit, stock images go on.',
  ),
  breakdown: z.exactOptional(usageBreakdownSchema),
  history: z.exactOptional(history),
});

/** The answer of `GET /api/usage`. */
export type UsageDocument = z.infer<typeof usageSchema>;
/** The running month of a usage document. */
export type UsageBreakdown = z.infer<typeof usageBreakdownSchema>;
