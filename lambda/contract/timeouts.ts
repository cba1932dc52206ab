/**
 * Timeouts, deadlines and leases, from the wait of a caller down to one attempt of one call. Each ends before
 * the one around it: see test/contract/timeouts.test.ts. The times of caches are beside the caches.
 */

/** A factor for tests. They wait longer on a busy machine, and shorter for a table that hangs. */
const patience = Number(process.env['PATIENCE'] ?? 1);

// ── What a caller waits for ──

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const gatewayTimeoutMs = 29_000;

/** `doctor` waits longer than API Gateway. */
export const doctorTimeoutMs = gatewayTimeoutMs + 3_000;

/** Longest time from the arrival of a request to its response. The response is then 503. */
export const requestBudgetMs = 25_000 * patience;

/** Longest time in which the authorizer looks for a key. After that, it reports an outage. */
export const authorizerBudgetMs = 8_000 * patience;

/** Time that the work of a request leaves for its refund and its answer. */
export const closingReserveMs = 2_000 * patience;

/** How long before its start a function believes that the request arrived, because clocks differ. */
export const arrivalSkewMsMax = 3_000;

/** Longest wait for another request that claimed an image and day. After that, it crashed or hangs. */
export const claimWaitMs = 8_000 * patience;

/** A page begins no call for its images in this last part of a request's time. */
export const lastPageCallMs = 3_000;

/** Longest wait of a request in OpenAI's form for the file of its image. */
export const imageFileTimeoutMs = 8_000;

/** Time that a request keeps for its rendition while it waits for an AI image or a claim. */
export const renditionReserveMs = 4_000 * patience;

// ── Functions ──

/** Lambda's own timeout of each function, in seconds. */
export const functionTimeoutsS = {
  authorizer: 10,
  /** Longer than the budget of a request with its last refund, shorter than the wait of the gateway. */
  api: 28,
  /** Longer than a request waits for a rendition. */
  renderer: 28,
  /** With `generatorEventAgeS` shorter than a lease: no other request takes over an image in the making. */
  generator: 140,
} as const;

/** Timeouts of the function that CloudFormation calls while it deploys, and of the wait for its answer. */
export const deployTimeoutsS = { function: 600, service: 660 } as const;

// ── The renderer ──

/** The renderer fails and logs its error this long before Lambda's timeout, in milliseconds. */
export const rendererMarginMs = 500;

/** Longest silence of a server while an original is downloaded from it. */
export const downloadSilenceMsMax = 5_000 * patience;

/** Seconds after which libvips gives up, because a small file can take long to decode. */
export const processingTimeoutS = 15;

// ── The generator ──

/** Longest wait of an event for a free generator, in seconds. Lambda takes no shorter one. */
export const generatorEventAgeS = 60;

/** Time that a generation holds an image: `generatorEventAgeS`, the generator's timeout, 10 s for clocks. */
export const generationLeaseMs = 210_000;

/** Longest wait of a request for its AI image. A longer one needs a longer `requestBudgetMs`. */
export const generationWaitMs = 19_000 * patience;

/** Time that the generator keeps to store the image and to finish. */
export const settlingReserveMs = 10_000;

/** Longest wait for a model, with all attempts. */
export const modelTimeoutMs = 100_000;

/** The pause after the first failure of a model. The pause after the second is twice as long. */
export const modelPauseMs = 500;

/** Longest `Retry-After` of a model that the generator obeys. After a longer one it gives up. */
export const modelPatienceMs = 5_000;

export const modelConnectionTimeoutMs = 2_000;

// ── Stock providers ──

/** Longest wait for one attempt of a search at a provider. */
export const providerAttemptTimeoutMs = 2_500 * patience;

/** Most attempts of a call of a provider that does not answer. */
export const providerAttemptsMax = 2;

/** Pause before the next attempt of a search. */
export const providerRetryPauseMs = 150;

/** After an outage, one search probes the provider for this time. It is enough for all attempts. */
export const providerProbeMs = 8_000;

// ── AWS ──

/** Calls of DynamoDB; times in milliseconds. */
export const dynamoDbTimes = {
  /** Longest wait for an attempt that may be repeated. A healthy table answers within 10 ms. */
  attemptMs: 1_500 * patience,
  /** Longest wait for a write that may not be repeated. A late answer is better than an unknown outcome. */
  onlyAttemptMs: 5_000 * patience,
  attemptsMax: 3,
  /** Pause before the second attempt. It doubles each time, and is shortened by up to a half at random. */
  pauseMs: 40,
  /** Time for which a process does not read a table that has not answered. */
  silenceMs: 2_000,
  callsMax: 12,
  /** Longest time that the first call of a process delays its start. */
  warmUpMs: 1_000,
} as const;

/** Longest time that a response waits for its entry in the usage, in milliseconds. */
export const usageWaitMsMax = 150 * patience;

/** Calls of S3 in milliseconds, with repetitions. `attempt` is for one attempt, `list` for each page. */
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
  /** Pause after the first refusal of an invocation. The pause after the second is twice as long. */
  pauseMs: 150,
} as const;

/** Longest waits for a secret, for EventBridge, and for a connection to AWS, in milliseconds. */
export const awsTimes = {
  secretMs: 3_000 * patience,
  eventMs: 2_000 * patience,
  connectionMs: 1_000 * patience,
} as const;

// ── The operator's tools ──

/** Longest wait for the description of a local service. */
export const localServiceTimeoutMs = 10_000;

/** Longest wait for one attempt at an AWS service, and for a connection to it. */
export const operatorAwsTimeoutsMs = { request: 5_000, connection: 2_000 } as const;

/** Longest wait for a stock provider in a check of the operator. Longer than a search with its attempts. */
export const providerCheckTimeoutMs = 8_000;
