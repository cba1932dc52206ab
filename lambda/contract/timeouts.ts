/**
 * Timeouts, deadlines and leases, from the wait of a caller down to one attempt of one call. Each ends before
 * the one around it, as test/contract/timeouts.test.ts checks. Times of caches stand beside the caches.
 */

/** Tests of the whole service wait longer on a busy machine, and less long for a table that hangs. */
const patience = Number(process.env['PATIENCE'] ?? 1);

// ── What a caller waits for ──

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const gatewayTimeoutMs = 29_000;

/** `doctor` waits longer than API Gateway. */
export const doctorTimeoutMs = gatewayTimeoutMs + 3_000;

/** Longest time from the arrival of a request to its answer, which is then 502 or 503. */
export const requestBudgetMs = 25_000 * patience;

/** Longest that the authorizer looks for a key; it then reports an outage. */
export const authorizerBudgetMs = 8_000 * patience;

/** Time that the work of a request leaves for its refund and its answer. */
export const closingReserveMs = 2_000 * patience;

/** Longest time before its start at which a function believes the gateway that a request arrived. */
export const arrivalSkewMsMax = 3_000;

/** Longest wait for another request that claimed an image and day; it has then crashed or hangs. */
export const claimWaitMs = 8_000 * patience;

/** Time before the end of a request until which a page may begin a call for its images. */
export const lastPageCallMs = 3_000;

/** Longest wait of a request in OpenAI's form for the file of its image. */
export const imageFileTimeoutMs = 8_000;

/** Time that waiting for the generator leaves for making the rendition. */
export const renditionReserveMs = 4_000 * patience;

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
export const downloadSilenceMsMax = 5_000 * patience;

/** Seconds after which libvips gives up: a small file can take long to decode. */
export const processingTimeoutS = 15;

// ── The generator ──

/** Time that the event of an image waits for a free generator, in seconds: the least that Lambda takes. */
export const generatorEventAgeS = 60;

/**
 * Time for which a generation holds an image: `generatorEventAgeS`, the generator's timeout, and 10 s between
 * clocks. A shorter lease would be as safe, but could make an image twice.
 */
export const generationLeaseMs = 210_000;

/** Longest wait of a request for its AI image. A longer one needs a longer `requestBudgetMs`. */
export const generationWaitMs = 19_000 * patience;

/** Time that the generator keeps back to store the image and to finish. */
export const settlingReserveMs = 10_000;

/** Longest wait for a model, all attempts included. */
export const modelTimeoutMs = 100_000;

/** The pause after a model's first failure is doubled after the second. */
export const modelPauseMs = 500;

/** Longest `Retry-After` for which the generator waits before it asks a model again. */
export const modelPatienceMs = 5_000;

export const modelConnectionTimeoutMs = 2_000;

// ── Stock providers ──

/** Longest wait for one attempt of a search at a provider. */
export const providerAttemptTimeoutMs = 2_500 * patience;

/** Pause before the second attempt of a search, which is the last. */
export const providerRetryPauseMs = 150;

/** Time after an outage for which one search alone probes a provider: enough for both attempts. */
export const providerProbeMs = 8_000;

// ── AWS ──

/** Calls of DynamoDB; times in milliseconds. */
export const dynamoDbTimes = {
  /** Longest wait for an attempt that may be repeated; a healthy answer takes under 10 ms. */
  attemptMs: 1_500 * patience,
  /** Longest wait for a write that may not be repeated: a late answer is better than an unknown outcome. */
  onlyAttemptMs: 5_000 * patience,
  attemptsMax: 3,
  /** Pause before the second attempt, doubled each time, and shortened by up to a half at random. */
  pauseMs: 40,
  /** Time for which a process does not read a table that has not answered. */
  silenceMs: 2_000,
  callsMax: 12,
  /** Longest time that the first call of a process holds up its start. */
  warmUpMs: 1_000,
} as const;

/** Longest that an answer waits for its entry in the usage, in milliseconds. */
export const usageWaitMsMax = 150 * patience;

/** S3: longest that a call may take with its repetitions (of a list, each page), and an attempt of one. */
export const imageStoreTimeoutsMs = {
  put: 10_000,
  get: 10_000,
  remove: 3_000,
  list: 5_000,
  attempt: 5_000,
} as const;

/** Calls of Lambda; times in milliseconds. */
export const lambdaTimes = {
  invokeLaterMs: 2_000 * patience,
  accountSettingsMs: 2_000 * patience,
  attemptsMax: 3,
  /** Pause after the first refusal of an invocation, twice as long after the second. */
  pauseMs: 150,
} as const;

/** Longest waits for a secret, for EventBridge, and for a connection to AWS, in milliseconds. */
export const awsTimes = {
  secretMs: 3_000 * patience,
  eventMs: 2_000 * patience,
  connectionMs: 1_000 * patience,
} as const;

// ── The operator's tools; those of the client package stand there ──

/** Longest wait for the description of a local service. */
export const localServiceTimeoutMs = 10_000;

/** Longest wait for one attempt at an AWS service, and for a connection to it. */
export const operatorAwsTimeoutsMs = { request: 5_000, connection: 2_000 } as const;

/** Longest wait for a stock provider in a check of the operator: longer than a search with its attempts. */
export const providerCheckTimeoutMs = 8_000;
