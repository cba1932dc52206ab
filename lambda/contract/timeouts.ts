/**
 * Sets the timeouts, deadlines and leases that must fit into one another, from the wait of a caller down to
 * one attempt of one call. Each inner one ends before the outer; test/contract/timeouts.test.ts checks that.
 * Each is a constant of its own, so that a bundle holds only those that it uses. How long caches keep things
 * stands beside the caches.
 */

/**
 * A time that `PATIENCE` multiplies in tests of the whole service: by more than 1 on a busy machine, which is
 * no outage, and by less where a table hangs. Bundles leave it out.
 */
const patiently = (ms: number) => Math.round(ms * Number(process.env['PATIENCE'] || 1));

// ── What a caller waits for ──

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const gatewayTimeoutMs = 29_000;

/** `doctor` waits longer than API Gateway. The client's own time stands in its `fetch-records.ts`. */
export const doctorTimeoutMs = gatewayTimeoutMs + 3_000;

/** Longest time from the arrival of a request to its answer, which is then 502 or 503. */
export const requestBudgetMs = /* @__PURE__ */ patiently(25_000);

/** Longest that the authorizer looks for a key; it then reports an outage. */
export const authorizerBudgetMs = /* @__PURE__ */ patiently(8_000);

/** Time that the work of a request leaves for its refund and its answer. */
export const closingReserveMs = /* @__PURE__ */ patiently(2_000);

/** Longest time before its start at which a function believes the gateway that a request arrived. */
export const arrivalSkewMsMax = 3_000;

/** Time that waiting for the generator leaves for making the rendition. */
export const renditionReserveMs = /* @__PURE__ */ patiently(4_000);

// ── Functions ──

/** Lambda's own timeout of each function, in seconds. */
export const functionTimeoutsS = {
  authorizer: 10,
  /** Must be longer than the budget of a request with its last refund, and shorter than the gateway waits. */
  api: 28,
  /** Must be longer than a request waits for a rendition. */
  renderer: 28,
  /** Shorter than a lease, with the wait of its event: nobody takes over an image in the making. */
  generator: 140,
} as const;

/** Seconds of the function that CloudFormation calls while it deploys, and of the wait for its answer. */
export const deployTimeoutsS = { function: 600, service: 660 } as const;

// ── The renderer ──

/** Milliseconds before Lambda's timeout at which the renderer fails by itself and logs its error. */
export const rendererMarginMs = 500;

/** Longest silence of a server from which an original is downloaded. */
export const downloadSilenceMsMax = /* @__PURE__ */ patiently(5_000);

/** Seconds after which libvips gives up: a small file can take long to decode. */
export const processingTimeoutS = 15;

// ── The generator ──

/** Time that the event of an image waits for a free generator, in seconds: the least that Lambda takes. */
export const generatorEventAgeS = 60;

/**
 * Time for which a generation holds an image: `generatorEventAgeS`, the generator's timeout, and 10 s between
 * clocks. A shorter lease would be as safe, but could make an image twice.
 */
export const generationLeaseMs = /* @__PURE__ */ patiently(210_000);

export const generationWaitMs = /* @__PURE__ */ patiently(20_000);

/** Time that the generator keeps back to store the image and to finish. */
export const settlingReserveMs = 10_000;

/** Longest wait for a model, all attempts included. */
export const modelTimeoutMs = 100_000;

/** The pause after a model's first failure is doubled after the second. */
export const modelPauseMs = 500;

/** Longest `Retry-After` for which the generator waits before it asks a model again. */
export const modelPatienceMs = 5_000;

export const modelConnectionTimeoutMs = 2_000;

// ── Images that are charged once a day ──

/** Longest wait for another request that claimed an image and day; it has then crashed or hangs. */
export const claimWaitMs = /* @__PURE__ */ patiently(8_000);

// ── Stock providers ──

/** Longest wait for one attempt of a search at a provider. */
export const providerAttemptTimeoutMs = /* @__PURE__ */ patiently(2_500);

/** Pause before the second attempt of a search, which is the last. */
export const providerRetryPauseMs = 150;

// ── AWS ──

/** Calls of DynamoDB; times in milliseconds. */
export const dynamoDbTimes = {
  /** Longest wait for an attempt that may be repeated; a healthy answer takes under 10 ms. */
  attemptMs: /* @__PURE__ */ patiently(1_500),
  /** Longest wait for a write that may not be repeated: a late answer is better than an unknown outcome. */
  onlyAttemptMs: /* @__PURE__ */ patiently(5_000),
  attemptsMax: 3,
  /** Pause before the second attempt, doubled each time, and shortened by up to a half at random. */
  pauseMs: 40,
  /** Time for which a process does not read a table that has not answered. */
  silenceMs: 2_000,
  callsMax: 12,
  /** Longest time that the first call of a process holds up its start. */
  warmUpMs: /* @__PURE__ */ patiently(1_000),
} as const;

/** Longest that an answer waits for its entry in the usage, in milliseconds. */
export const usageWaitMsMax = /* @__PURE__ */ patiently(150);

/** S3: longest that a call may take with its repetitions (of a list, each page), and an attempt of one. */
export const imageStoreTimeoutsMs = {
  put: /* @__PURE__ */ patiently(10_000),
  get: /* @__PURE__ */ patiently(10_000),
  remove: /* @__PURE__ */ patiently(3_000),
  list: /* @__PURE__ */ patiently(5_000),
  attempt: /* @__PURE__ */ patiently(5_000),
} as const;

/** Calls of Lambda; times in milliseconds. */
export const lambdaTimes = {
  invokeLaterMs: /* @__PURE__ */ patiently(2_000),
  accountSettingsMs: /* @__PURE__ */ patiently(2_000),
  attemptsMax: 3,
  /** Pause after the first refusal of an invocation, twice as long after the second. */
  pauseMs: 150,
} as const;

/** Longest waits for a secret, for EventBridge, and for a connection to AWS, in milliseconds. */
export const awsTimes = {
  secretMs: /* @__PURE__ */ patiently(3_000),
  eventMs: /* @__PURE__ */ patiently(2_000),
  connectionMs: /* @__PURE__ */ patiently(1_000),
} as const;

// ── The operator's tools ──

/** Longest wait for one attempt at an AWS service, and for a connection to it. */
export const operatorAwsTimeoutsMs = { request: 5_000, connection: 2_000 } as const;

/** Longest wait for a stock provider in a check of the operator: longer than a search with its attempts. */
export const providerCheckTimeoutMs = 8_000;
