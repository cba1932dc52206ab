/** The chain of timeouts: each inner one ends before what is around it, and each lease outlives the work that it guards. */

import { stockSlots } from '../../lambda/contract/providers';
import * as timeouts from '../../lambda/contract/timeouts';

const { functionTimeoutsS, deployTimeoutsS, requestBudgetMs } = timeouts;
const functionMs = (name: keyof typeof functionTimeoutsS) => functionTimeoutsS[name] * 1_000;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Longest that one repeated call of DynamoDB takes: all attempts, and the pauses between them at their longest. */
const dynamoDbCallMs = sum(
  Array.from({ length: timeouts.dynamoDbAttemptsMax }, (_, index) =>
    index === 0
      ? timeouts.dynamoDbAttemptTimeoutMs
      : timeouts.dynamoDbAttemptTimeoutMs + timeouts.dynamoDbPauseMs * 2 ** (index - 1),
  ),
);
/** Longest that one search at a provider takes. */
const searchMs = 2 * timeouts.providerAttemptTimeoutMs + timeouts.providerPauseMs;

/** What must end first, what is around it, and the names of both. */
const chain: readonly (readonly [string, number, string, number])[] = [
  ['the request budget', requestBudgetMs, 'the function behind the API', functionMs('api')],
  ['the function behind the API', functionMs('api'), 'the gateway', timeouts.gatewayTimeoutMs],
  ['the authorizer', functionMs('authorizer'), 'the gateway', timeouts.gatewayTimeoutMs],
  [
    'the last attempt to refund',
    requestBudgetMs + timeouts.dynamoDbAttemptTimeoutMs,
    'the function behind the API',
    functionMs('api'),
  ],
  ['the reserve for a rendition', timeouts.renditionReserveMs, 'the request budget', requestBudgetMs],
  ['the trust in the arrival time', timeouts.arrivalSkewMsMax, 'the request budget', requestBudgetMs],
  [
    'a request that waits for a rendition',
    requestBudgetMs,
    'the renderer',
    functionMs('renderer') - timeouts.rendererMarginMs,
  ],
  [
    'download silence and processing',
    timeouts.downloadSilenceMsMax + timeouts.processingTimeoutS * 1_000,
    'the renderer',
    functionMs('renderer') - timeouts.rendererMarginMs,
  ],
  [
    'the model and what follows it',
    timeouts.modelTimeoutMs + timeouts.settlingReserveMs,
    'the generator',
    functionMs('generator'),
  ],
  [
    'the wait of an event, and the generator',
    timeouts.generatorEventAgeS * 1_000 + functionMs('generator'),
    'its lease',
    timeouts.generationLeaseMs,
  ],
  ['the longest rest between attempts', timeouts.modelPatienceMs, 'the model', timeouts.modelTimeoutMs],
  [
    'the question about executions',
    timeouts.accountSettingsTimeoutMs,
    'the reserve for a rendition',
    timeouts.renditionReserveMs,
  ],
  ['the connection to a model', timeouts.modelConnectionTimeoutMs, 'the model', timeouts.modelTimeoutMs],
  [
    'the wait for a claim',
    timeouts.claimWaitMs,
    'a request that waits for it',
    requestBudgetMs - timeouts.renditionReserveMs,
  ],
  ['a search in every slot', searchMs * stockSlots.length, 'the request budget', requestBudgetMs],
  ['a read of DynamoDB', dynamoDbCallMs, 'the authorizer', functionMs('authorizer')],
  [
    'an attempt that is repeated',
    timeouts.dynamoDbAttemptTimeoutMs,
    'one that is not',
    timeouts.dynamoDbOnlyAttemptTimeoutMs,
  ],
  ['the warm-up', timeouts.warmUpTimeoutMs, "Lambda's ten seconds for a start", 10_000],
  ['the secret of the signature', timeouts.secretTimeoutMs, 'the request budget', requestBudgetMs],
  [
    'a job handed over',
    timeouts.invokeAttemptsMax * (timeouts.invokeAsyncTimeoutMs + timeouts.invokePauseMs * 2),
    'the request budget',
    requestBudgetMs,
  ],
  [
    'an announcement',
    timeouts.eventBusTimeoutMs,
    'what follows the budget',
    functionMs('api') - requestBudgetMs,
  ],
  [
    'a connection',
    timeouts.awsConnectionTimeoutMs,
    'the shortest call that opens one',
    Math.min(
      timeouts.invokeAsyncTimeoutMs,
      timeouts.secretTimeoutMs,
      ...Object.values(timeouts.imageLibraryTimeoutsMs),
    ),
  ],
  ['the key maker', deployTimeoutsS.function, 'CloudFormation', deployTimeoutsS.service],
  ['the gateway', timeouts.gatewayTimeoutMs, 'a program that calls the service', timeouts.clientTimeoutMs],
  ['a search', searchMs, 'a check of a provider', timeouts.providerCheckTimeoutMs],
  [
    "a connection of the operator's tools",
    timeouts.operatorAwsTimeoutsMs.connection,
    'the attempt that opens it',
    timeouts.operatorAwsTimeoutsMs.request,
  ],
];

test.each(chain)('%s (%d) ends before %s (%d)', (_, innerEnds, __, outerEnds) => {
  expect(innerEnds).toBeLessThan(outerEnds);
});

test('storing a master fits into what the generator keeps back for it', () => {
  expect(timeouts.imageLibraryTimeoutsMs.put).toBeLessThanOrEqual(timeouts.settlingReserveMs);
});

test('an attempt at the image library never outlasts a whole upload or download', () => {
  const { put, get } = timeouts.imageLibraryTimeoutsMs;
  expect(timeouts.imageLibraryAttemptTimeoutMs).toBeLessThan(Math.min(put, get));
});

test('API Gateway waits 29 seconds for a function, and Lambda ends none later than after 15 minutes', () => {
  expect(timeouts.gatewayTimeoutMs).toBe(29_000);
  for (const seconds of [...Object.values(functionTimeoutsS), deployTimeoutsS.function])
    expect(seconds).toBeLessThanOrEqual(900);
});
