/** How many functions an AWS account runs at the same time, and how many of these executions may wait for AI images. */

/** Concurrent executions of a new AWS account; taken for granted where the account's own number cannot be read. */
export const newAccountExecutions = 10;

/**
 * Unreserved executions that Lambda leaves in an account before it lets a function reserve any: with as many, requests
 * that wait are not bounded. https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
export const ampleExecutions = 100;

/**
 * Share of the unreserved executions in which a request may wait for an AI image. Each also has a generator running, so
 * twice as many are taken, and the rest is left to the authorizer, the renderer and requests that do not wait.
 */
export const waitingShare = 0.3;

/** Most requests that may wait at once where waiting is bounded: each takes an attribute of one item. */
export const waitingRequestsMax = 100;

/** How long an instance believes what it has read of the account, and what it assumed when that failed, in milliseconds. */
export const executionsKnownForMs = { read: 3_600_000, assumed: 60_000 } as const;
