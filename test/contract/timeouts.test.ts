/** The chain of timeouts: each ends before the one around it, and each lease outlives its work. */

import { stockSlots } from '../../lambda/contract/providers';
import * as t from '../../lambda/contract/timeouts';

const getFunctionMs = (name: keyof typeof t.functionTimeoutsS) => t.functionTimeoutsS[name] * 1_000;
const { requestBudgetMs: budgetMs, gatewayTimeoutMs: gatewayMs, dynamoDbTimes: dynamoDb, lambdaTimes } = t;
const [apiMs, rendererMs] = [getFunctionMs('api'), getFunctionMs('renderer') - t.rendererMarginMs];
const { put, get, ...others } = t.imageStoreTimeoutsMs;
/** All attempts of one repeated call of DynamoDB, and the pauses between them at their longest. */
const dynamoDbCallMs = dynamoDb.attemptsMax * dynamoDb.attemptMs + dynamoDb.pauseMs * (1 + 2);
const searchMs =
  t.providerAttemptsMax * t.providerAttemptTimeoutMs + (t.providerAttemptsMax - 1) * t.providerRetryPauseMs;
const shortestCallMs = Math.min(
  lambdaTimes.invokeLaterMs,
  t.awsTimes.secretMs,
  put,
  get,
  ...Object.values(others),
);
const handOverMs = lambdaTimes.attemptsMax * (lambdaTimes.invokeLaterMs + lambdaTimes.pauseMs * 2);

test.each([
  ['the request before its function', budgetMs, apiMs],
  ['the function behind the API before the gateway', apiMs, gatewayMs],
  ['the authorizer before the gateway', getFunctionMs('authorizer'), gatewayMs],
  ['the last attempt to refund before the function', budgetMs + dynamoDb.attemptMs, apiMs],
  ['the reserve for a rendition before the request', t.renditionReserveMs, budgetMs],
  [
    'waiting for an AI image, its rendition and the answer before the request',
    t.generationWaitMs + t.renditionReserveMs + t.closingReserveMs,
    budgetMs + 1,
  ],
  ['the trust in the arrival time before the request', t.arrivalSkewMsMax, budgetMs],
  ['who waits for a rendition before the renderer', budgetMs, rendererMs],
  [
    'a download and its processing before the renderer',
    t.downloadSilenceMsMax + t.processingTimeoutS * 1_000,
    rendererMs,
  ],
  [
    'the model and what follows before the generator',
    t.modelTimeoutMs + t.settlingReserveMs,
    getFunctionMs('generator'),
  ],
  [
    'an event and its generator before the lease',
    t.generatorEventAgeS * 1_000 + getFunctionMs('generator'),
    t.generationLeaseMs,
  ],
  ['the longest rest between attempts before the model', t.modelPatienceMs, t.modelTimeoutMs],
  ['the connection to a model before the model', t.modelConnectionTimeoutMs, t.modelTimeoutMs],
  ['the question about executions before the rendition', lambdaTimes.accountSettingsMs, t.renditionReserveMs],
  ['the wait for a claim before the rendition', t.claimWaitMs, budgetMs - t.renditionReserveMs],
  ['a search in every slot before the request', searchMs * stockSlots.length, budgetMs],
  ['a read of DynamoDB before the authorizer', dynamoDbCallMs, getFunctionMs('authorizer')],
  ['an attempt that is repeated before one that is not', dynamoDb.attemptMs, dynamoDb.onlyAttemptMs],
  ["the warm-up before Lambda's end of a start", dynamoDb.warmUpMs, 10_000],
  ['a secret before the request', t.awsTimes.secretMs, budgetMs],
  ['a job that is handed over before the request', handOverMs, budgetMs],
  ['an announcement before the function', t.awsTimes.eventMs, apiMs - budgetMs],
  ['a connection before the shortest call that opens one', t.awsTimes.connectionMs, shortestCallMs],
  ['the key maker before CloudFormation', t.deployTimeoutsS.function, t.deployTimeoutsS.service],
  ['the gateway before a program that calls', gatewayMs, t.doctorTimeoutMs],
  ['all attempts of a search before the next probe', searchMs, t.providerProbeMs],
  ['the last call of a page before the request', t.lastPageCallMs, budgetMs - t.closingReserveMs],
  ['the file of an image before the request', t.imageFileTimeoutMs, budgetMs - t.closingReserveMs],
  ['a search before a check of its provider', searchMs, t.providerCheckTimeoutMs],
  [
    "a tool's connection before its attempt",
    t.operatorAwsTimeoutsMs.connection,
    t.operatorAwsTimeoutsMs.request,
  ],
  ['storing a master before what is kept back for it', put, t.settlingReserveMs + 1],
  ['an attempt at the image store before the call', t.imageStoreTimeoutsMs.attempt, Math.min(put, get)],
])('a time ends before the one around it: %s', (_, innerEnds, outerEnds) => {
  expect(innerEnds).toBeLessThan(outerEnds);
});

test('no function has more time than API Gateway and Lambda give it', () => {
  expect(gatewayMs).toBe(29_000);
  for (const seconds of [...Object.values(t.functionTimeoutsS), t.deployTimeoutsS.function])
    expect(seconds).toBeLessThanOrEqual(900);
});
