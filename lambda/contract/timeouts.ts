/**
 * Every timeout, deadline and lease of the service, from the caller's wait down to one attempt of one call. Each inner
 * one ends before what is around it; test/contract/timeouts.test.ts checks that. The constants stand one by one, so
 * that a bundle holds only those that it uses. How long caches keep things stands where they are used.
 */

/**
 * A time that tests of the whole service stretch or shorten, by a factor in `PATIENCE`: more than 1, since a machine that is
 * busy with other tests is no outage, and less where a table hangs, which is waited for by the clock. Bundles leave it out.
 */
const patiently = (ms: number) => Math.round(ms * Number(process.env['PATIENCE'] || 1));

// ── What a caller waits for ──

/** Longest that API Gateway waits for a function: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const gatewayTimeoutMs = 29_000;

/**
 * How long `doctor` waits for an answer of the service: longer than API Gateway, and the way there and back. The client
 * package imports nothing of the service; its own 30 seconds stand in `fetch-records.ts` there.
 */
export const clientTimeoutMs = gatewayTimeoutMs + 3_000;

/** Longest time from an image request's arrival to its answer; what is not ready by then is answered with 503 or 502. */
export const requestBudgetMs = /* @__PURE__ */ patiently(25_000);

/** Longest that the authorizer looks for a key; a table that does not answer by then is out. */
export const authorizerBudgetMs = /* @__PURE__ */ patiently(8_000);

/** Time that the work of a request leaves for its refund and its answer, whatever hangs. */
export const closingMs = /* @__PURE__ */ patiently(2_000);

/** How far the gateway's clock is believed where it says that a request arrived earlier than the function started. */
export const arrivalSkewMsMax = 3_000;

/** Time that waiting for the generator leaves for making the rendition. */
export const renditionReserveMs = /* @__PURE__ */ patiently(4_000);

// ── Functions ──

/** Lambda's own timeout of each function, in seconds. */
export const functionTimeoutsS = {
  authorizer: 10,
  /** Longer than the request's budget, so that the last refund and the answer fit in; shorter than the gateway waits. */
  api: 28,
  /** Longer than a request waits for a rendition. */
  renderer: 28,
  /** With the time that its event may wait shorter than a lease, so that no other execution takes over an image that is still being made. */
  generator: 140,
} as const;

/** The function that CloudFormation calls while it deploys, in seconds, and how long it waits for its answer. */
export const deployTimeoutsS = { function: 600, service: 660 } as const;

// ── The renderer ──

/** The renderer gives up this much before its own end, so that it can still say so. */
export const rendererMarginMs = 500;

/** Longest silence of a server from which an original is downloaded. */
export const downloadSilenceMsMax = /* @__PURE__ */ patiently(5_000);

/** After that many seconds libvips gives up: a small file can take long to decode. */
export const processingTimeoutS = 15;

// ── The generator ──

/** How long Lambda keeps an image that is to be made for a generator that is free, in seconds: the least that it takes. */
export const generatorEventAgeS = 60;

/**
 * How long an execution holds an image: its event may wait for 60 s, the generator takes 140 s, and clocks may be 10 s
 * apart. A shorter time would be as safe, and only cost second generations.
 */
export const generationLeaseMs = /* @__PURE__ */ patiently(210_000);

/** Longest that a request waits for an image to be made, whatever is left of its own time. */
export const generationWaitMs = /* @__PURE__ */ patiently(20_000);

/** The generator function keeps this much back for storing the image and finishing after the model has answered. */
export const settlingReserveMs = 10_000;

/** Longest wait for a model, all attempts included. */
export const modelTimeoutMs = 100_000;

/** Pause after a model's first failure, doubled after the second. */
export const modelPauseMs = 500;

/** A model whose `Retry-After` is longer is not asked again for the same image. */
export const modelPatienceMs = 5_000;

/** Longest wait for a connection to Bedrock. */
export const modelConnectionTimeoutMs = 2_000;

// ── Images that are charged once a day ──

/** Longest wait for the request that has claimed an image and day: then it has crashed or hangs. */
export const claimWaitMs = /* @__PURE__ */ patiently(8_000);

// ── Stock providers ──

/** Longest wait for one attempt of a search at a provider. */
export const providerAttemptTimeoutMs = /* @__PURE__ */ patiently(2_500);

/** Pause before the second attempt of a search, which is the last. */
export const providerPauseMs = 150;

// ── AWS ──

/** Calls of DynamoDB; times in milliseconds. */
export const dynamoDbTimes = {
  /** Longest wait for an attempt that may be repeated; a healthy answer takes under 10 ms. */
  attemptMs: /* @__PURE__ */ patiently(1_500),
  /** Longest wait for a write that may not be repeated; a late answer is worth more than an unknown outcome. */
  onlyAttemptMs: /* @__PURE__ */ patiently(5_000),
  attemptsMax: 3,
  /** Pause before the second attempt, doubled each time and halved at random. */
  pauseMs: 40,
  /** How long the reads of a table that has not answered fail at once in a process. */
  silenceMs: 2_000,
  /** Calls of one client at the same time, so that many concurrent requests queue before their deadlines begin. */
  callsMax: 12,
  /** Longest time that the first call of a process holds up its start. */
  warmUpMs: /* @__PURE__ */ patiently(1_000),
} as const;

/** Longest an answer waits until its outcome is added to the usage of its account, in milliseconds. */
export const usageWaitMsMax = /* @__PURE__ */ patiently(150);

/** S3: longest that one call may take, its repetitions included; for a list, each page; and one attempt of a call. */
export const imageLibraryTimeoutsMs = {
  put: /* @__PURE__ */ patiently(10_000),
  get: /* @__PURE__ */ patiently(10_000),
  remove: /* @__PURE__ */ patiently(3_000),
  list: /* @__PURE__ */ patiently(5_000),
  attempt: /* @__PURE__ */ patiently(5_000),
} as const;

/** Calls of Lambda; times in milliseconds. */
export const lambdaTimes = {
  /** Longest wait until it has taken an event for later. */
  invokeLaterMs: /* @__PURE__ */ patiently(2_000),
  /** Longest wait for the limits of the account. */
  accountSettingsMs: /* @__PURE__ */ patiently(2_000),
  /** Attempts of an invocation that is refused because no instance is free. */
  attemptsMax: 3,
  /** Pause after the first refusal of an invocation, twice as long after the second. */
  pauseMs: 150,
} as const;

/** Longest waits for a secret, for EventBridge, and for a connection to any service of AWS, in milliseconds. */
export const awsTimes = {
  secretMs: /* @__PURE__ */ patiently(3_000),
  eventMs: /* @__PURE__ */ patiently(2_000),
  connectionMs: /* @__PURE__ */ patiently(1_000),
} as const;

// ── The operator's tools ──

/** Longest wait for one attempt at an AWS service, and for a connection to it. */
export const operatorAwsTimeoutsMs = { request: 5_000, connection: 2_000 } as const;

/** Longest wait for a stock provider that an operator checks: longer than a search with all its attempts. */
export const providerCheckTimeoutMs = 8_000;
