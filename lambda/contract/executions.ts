/** How many functions an AWS account runs at the same time. */

/** Concurrent executions of a new AWS account; taken for granted where the account's own number cannot be read. */
export const newAccountExecutions = 10;

/** How long an instance believes what it has read of the account, and what it assumed when that failed, in milliseconds. */
export const executionsKnownForMs = { read: 3_600_000, assumed: 60_000 } as const;
