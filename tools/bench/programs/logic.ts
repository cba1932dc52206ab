/** The logic of a stock request without I/O: the service's and the hand-written one, both over tables in memory. */

import type { Database } from '../../../lambda/aws/dynamodb/call';
import { createLogTelemetry } from '../../../lambda/aws/telemetry/log-telemetry';
import { systemClock as clock } from '../../../lambda/base/system';
import { defaultPlans } from '../../../lambda/contract/plans';
import { createHandler } from '../../../lambda/functions/redirect/handler';
import { createQuotaCounters } from '../../../lambda/quota/dynamodb/quota-counters';
import { createLedger } from '../../../lambda/quota/ledger';
import { createCachedImages } from '../../../lambda/stock/cached-images';
import { createItemStore } from '../../../lambda/stock/dynamodb/item-store';
import { createServeStock } from '../../../lambda/stock/serve-stock';
import { withoutOptions } from '../../../test/fakes/redirect-options';
import { answers, slotBindings as bindings, image } from '../loopback';
import { createLeanRedirect } from './lean-redirect';

const write = (line: string) => line.length;
const far = { freshUntilMs: 3_786_912_000_000, staleUntilMs: 3_786_912_000_000 };
const item = { Item: { pk: 'R#1', value: JSON.stringify(image), ...far } };
const charged = { Attributes: { taken: 17, spent: 17, held: 0, ttl: 3_786_912_000 } };

const db = {
  send: async (command: { readonly input: object }) => ('UpdateExpression' in command.input ? charged : item),
} as unknown as Database & Parameters<typeof createItemStore>[0];
const telemetry = createLogTelemetry({ functionName: 'redirect', write, nowMs: clock.nowMs });
const ledger = createLedger({ counters: createQuotaCounters(db, 'counters', telemetry), clock, telemetry });
const never = () => Promise.reject(new Error('Only a known image is asked for'));
const cachedImages = createCachedImages({
  cache: createItemStore(db, 'cache', clock),
  clock,
  telemetry,
  bindings,
});
const serveStock = createServeStock({ ledger, cachedImages, find: never, noteUse: never });

/** The service's handler. */
export const measured = createHandler({
  ...withoutOptions,
  serve: (request, _, context) => (request.provider === 'ai' ? never() : serveStock(request, context)),
  servePermalink: never,
  loadPublishing: never,
  verify: never,
  loadBatch: never,
  // Only plans with a break-down write.
  recordUsage: () => ({ expect: () => undefined, settle: async () => {} }),
  plans: defaultPlans,
  ipHashSecret: 'a secret of the benchmark',
  maxAgeS: 3_600,
  imageBaseUrl: 'https://images.example',
  clock,
  telemetry,
});

/** The hand-written one. */
export const least = createLeanRedirect({
  call: async (operation) => (operation === 'UpdateItem' ? answers.charge : answers.image),
  counters: 'counters',
  cache: 'cache',
  bindings: Object.values(bindings).join('+'),
  write,
});
