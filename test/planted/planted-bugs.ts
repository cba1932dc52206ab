/** Bugs that were once planted and went unnoticed, and their kind elsewhere: each with a test that fails with it. */

export interface PlantedBug {
  readonly name: string;
  /** The source that is changed, and the change: what stands there once, and what a mistake would write. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The test file that fails with it. */
  readonly test: string;
}

const generations = 'lambda/usecases/generation';
const dynamodb = 'lambda/adapters/dynamodb';

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'finished images keep their expiry',
    file: `${dynamodb}/generations/generation-writes.ts`,
    find: "'#ttl': 'ttl' },\n    ExpressionAttributeValues: {\n      ...held(lease),\n      ':ready'",
    replace: "'#ttl': 'nothing' },\n    ExpressionAttributeValues: {\n      ...held(lease),\n      ':ready'",
    test: 'test/adapters/dynamodb/generation-index.test.ts',
  },
  {
    name: 'an unfinished generation is forgotten while late messages about it may come',
    file: `${dynamodb}/generations/generation-writes.ts`,
    find: '(nowMs + generationKeptMs)',
    replace: '(nowMs + 60_000)',
    test: 'test/adapters/dynamodb/generation-index.test.ts',
  },
  {
    name: 'DynamoDB calls have no deadline',
    file: `${dynamodb}/call.ts`,
    find: 'abortAfter(timeoutMs, late,',
    replace: 'abortAfter(2 ** 31 - 1, late,',
    test: 'test/adapters/dynamodb/call.test.ts',
  },
  {
    name: 'the wait for a turn counts as the wait for the table',
    file: `${dynamodb}/call.ts`,
    find: 'createSlots(dynamoDbCallsMax)',
    replace: 'createSlots(1_000)',
    test: 'test/adapters/dynamodb/call.test.ts',
  },
  {
    name: 'an AI delivery is refunded after a charge whose outcome is unknown',
    file: 'lambda/usecases/metering/meter.ts',
    find: "if (outcome === 'charged') return meter.refund",
    replace: "if (outcome !== 'refused') return meter.refund",
    test: 'test/usecases/generation/paying.test.ts',
  },
  {
    name: 'release and abandon do not ask for the fence',
    file: `${dynamodb}/generations/generation-writes.ts`,
    find: "'SET st = :to REMOVE claim, #until',\n    ConditionExpression: holds,",
    replace:
      "'SET st = :to REMOVE claim, #until',\n    ConditionExpression: 'st = :leased AND ex = :ex AND (f = :f OR f <> :f)',",
    test: 'test/adapters/dynamodb/generation-index.test.ts',
  },
  {
    name: 'no write of an execution asks for the fence',
    file: `${dynamodb}/generations/generation-writes.ts`,
    find: "const holds = 'st = :leased AND ex = :ex AND f = :f';",
    replace: "const holds = 'st = :leased AND ex = :ex AND (f = :f OR f <> :f)';",
    test: 'test/adapters/dynamodb/generation-index.test.ts',
  },
  {
    name: 'an image is given up before its charge is settled',
    file: `${dynamodb}/generations/generation-writes.ts`,
    find: 'ex = :ex AND f = :f AND settled = :yes',
    replace: 'ex = :ex AND f = :f AND (settled = :yes OR settled <> :yes)',
    test: 'test/adapters/dynamodb/generation-index.test.ts',
  },
  {
    name: 'a sweep settles what is not due',
    file: `${generations}/sweep.ts`,
    find: 'dueMs <= byMs',
    replace: 'dueMs <= byMs + 150_000',
    test: 'test/usecases/generation/settling.test.ts',
  },
  {
    name: 'a sweep refunds without taking the lease away',
    file: `${generations}/sweep.ts`,
    find: "isBy(execution, 'LEASED', generation)) {",
    replace: "isBy(execution, 'IDLE', generation)) {",
    test: 'test/usecases/generation/settling.test.ts',
  },
  {
    name: 'the item of a reservation has no expiry',
    file: `${dynamodb}/quota/charges.ts`,
    find: "'#ttl': 'ttl' }",
    replace: "'#ttl': 'nothing' }",
    test: 'test/adapters/dynamodb/charges.test.ts',
  },
  {
    name: 'a sweep removes what a running execution stored',
    file: `${generations}/settle.ts`,
    find: 'library.list(executionFolder(lease.key, lease.execution))',
    replace: 'library.list(imageFolder(lease.key))',
    test: 'test/usecases/generation/settling.test.ts',
  },
  {
    name: 'a finished image removes what an execution stored that may still run',
    file: `${generations}/settle.ts`,
    find: 'other !== execution && isOver',
    replace: 'other !== execution',
    test: 'test/usecases/generation/settling.test.ts',
  },
  {
    name: 'the search for orphans takes a running execution for one',
    file: `${generations}/remove-orphans.ts`,
    find: "(state !== 'LEASED' || leaseEndsMs + orphanAgeMinMs <= clock.nowMs())",
    replace: 'true',
    test: 'test/usecases/generation/remove-orphans.test.ts',
  },
  {
    name: 'the search for orphans does not wait until an execution must be over',
    file: `${generations}/remove-orphans.ts`,
    find: 'const orphanAgeMinMs = 3_600_000;',
    replace: 'const orphanAgeMinMs = 0;',
    test: 'test/usecases/generation/remove-orphans.test.ts',
  },
  {
    name: 'another account takes the owner’s paid delivery through a permalink',
    file: `${generations}/serve-permalink.ts`,
    find: 'generation.due && isOwner(generation, caller)',
    replace: 'generation.due',
    test: 'test/usecases/generation/paying.test.ts',
  },
  {
    name: 'a variation does not take the base’s paid delivery',
    file: `${generations}/serve-ai.ts`,
    find: "if (base.led && !context.paid && answer.outcome === 'served')",
    replace: "if (base.led && !context.paid && answer.outcome !== 'served')",
    test: 'test/protocol/service.test.ts',
  },
  {
    name: 'the request that has the base made is a MISS beside the one that makes the variation',
    file: `${generations}/serve-ai.ts`,
    find: "made.led ? 'MISS' : 'HIT', base.rateLimit",
    replace: "made.led || base.led ? 'MISS' : 'HIT', base.rateLimit",
    test: 'test/usecases/generation/variation-cache.test.ts',
  },
  {
    name: 'a job that could not be handed over holds its unit until its lease ends',
    file: `${generations}/lead-generation.ts`,
    find: "await failExecution(deps, lease, charge, 'upstream_unavailable', 0);",
    replace: '',
    test: 'test/protocol/service.test.ts',
  },
  {
    name: 'a failed read ends the wait for an image',
    file: `${generations}/wait-for.ts`,
    find: '.catch(() => last)',
    replace: '',
    test: 'test/usecases/generation/wait-for.test.ts',
  },
  {
    name: 'the scheduled sweeper sweeps everything',
    file: 'lambda/functions/sweeper/handler.ts',
    find: 'everything ? Number.MAX_SAFE_INTEGER : clock.nowMs()',
    replace: 'Number.MAX_SAFE_INTEGER',
    test: 'test/functions/sweeper/handler.test.ts',
  },
  {
    name: 'the request budget is longer than the gateway waits',
    file: 'lambda/contract/timeouts.ts',
    find: 'requestBudgetMs = 25_000',
    replace: 'requestBudgetMs = 30_000',
    test: 'test/contract/timeouts.test.ts',
  },
  {
    name: 'a request may take longer than its budget',
    file: 'lambda/functions/redirect/handler.ts',
    find: '+ requestBudgetMs,',
    replace: '+ 2 * requestBudgetMs,',
    test: 'test/functions/redirect/handler-order.test.ts',
  },
  {
    name: 'usage is recorded after the answer',
    file: 'lambda/functions/redirect/handler.ts',
    find: 'await usage.settle(',
    replace: 'void usage.settle(',
    test: 'test/functions/redirect/handler-order.test.ts',
  },
  {
    name: 'renditions of different heights share a path',
    file: `${generations}/deliver.ts`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of the source
    find: '${widthPx}x${heightPx}.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of the source
    replace: '${widthPx}.',
    test: 'test/usecases/generation/deliver.test.ts',
  },
  {
    name: 'the months that a batch left out are dropped from usage',
    file: `${dynamodb}/quota/usage-history.ts`,
    find: 'wanted = page.UnprocessedKeys?.[tableName]?.Keys ?? [];',
    replace: 'wanted = [];',
    test: 'test/adapters/dynamodb/usage-ledger.test.ts',
  },
  {
    name: 'the protocol reads with eventual consistency',
    file: `${dynamodb}/conditional-write.ts`,
    find: 'ConsistentRead: true',
    replace: 'ConsistentRead: false',
    test: 'test/adapters/dynamodb/call.test.ts',
  },
  {
    name: 'the rate limit status is read with eventual consistency',
    file: `${dynamodb}/quota/quota-counters.ts`,
    find: 'ConsistentRead: true',
    replace: 'ConsistentRead: false',
    test: 'test/adapters/dynamodb/call.test.ts',
  },
  {
    name: 'no time is kept back for storing and settling',
    file: `${generations}/draw-master.ts`,
    find: 'functionEndsMs - settlingReserveMs',
    replace: 'functionEndsMs',
    test: 'test/usecases/generation/draw-master-deadline.test.ts',
  },
  {
    name: 'a counter expires before late settlements come',
    file: `${dynamodb}/quota/counter-item.ts`,
    find: 'live: 35 * 86_400',
    replace: 'live: 3_600',
    test: 'test/adapters/dynamodb/charges.test.ts',
  },
  {
    name: 'a refunded unit is left to the sweeper',
    file: `${dynamodb}/quota/charges.ts`,
    find: 'if (counterKey !== undefined && operation.cost > 0) {',
    replace: 'if (counterKey === operation.quotaKey) {',
    test: 'test/adapters/dynamodb/charges.test.ts',
  },
  {
    name: 'a place that got no unit is kept',
    file: `${dynamodb}/quota/charges.ts`,
    find: '      await withdraw(operation);\n',
    replace: '',
    test: 'test/adapters/dynamodb/charges.test.ts',
  },
  {
    name: 'what is given back is counted from reservations that were read before the counter',
    file: `${dynamodb}/quota/granted-units.ts`,
    find: `    const counter = (await readItem(db, TableName, { pk: counterKey })) ?? {};
    const reservations = await readItem(db, TableName, { pk: reservationsKey });
`,
    replace: `    const reservations = await readItem(db, TableName, { pk: reservationsKey });
    const counter = (await readItem(db, TableName, { pk: counterKey })) ?? {};
`,
    test: 'test/adapters/dynamodb/charges.test.ts',
  },
];
