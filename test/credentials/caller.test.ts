/** Functions read the caller that the authorizer writes. */

import {
  type AuthorizerResult,
  readAuthorizerContext,
  writeAuthorizerContext,
} from '../../lambda/credentials/caller';
import { makeAccountId } from '../fakes/values';

const live = { kind: 'live', account: makeAccountId('acc_1'), plan: 'pro', keyId: 'key_1' } as const;

test.each<[string, AuthorizerResult]>([
  ['an anonymous caller', { kind: 'anonymous' }],
  ['a live key', { ...live, plan: 'free' }],
  ['a test key', { ...live, kind: 'test' }],
  ['an owner', { ...live, accountName: 'Zoë & Co', role: 'owner' }],
  ['a signer', { ...live, publishedAs: 'signer' }],
  ['a site key', { ...live, kind: 'test', publishedAs: 'site', isUnproven: true, maxPerMonth: 500 }],
  ['a refused key', { refusal: 'invalid_api_key' }],
  ['a conflict', { refusal: 'conflicting_parameters' }],
  ['an outage', { refusal: 'service_unavailable' }],
])('a function reads the result of the authorizer: %s', (_, result) => {
  const context = writeAuthorizerContext(result);
  expect(Object.values(context).every((value) => typeof value === 'string')).toBe(true);
  // API Gateway adds the principal.
  expect(readAuthorizerContext({ ...context, principalId: 'anonymous' })).toEqual(result);
});

test.each([
  ['null', null],
  ['undefined', undefined],
  ['an empty object', {}],
  ['an unknown kind', { caller: 'root' }],
  ['an account without a kind', { ...live }],
])('the context of the authorizer is read as an outage: %s', (_, context) =>
  expect(readAuthorizerContext(context)).toEqual({ refusal: 'service_unavailable' }),
);

test('a result with a refusal and a caller is read as the refusal', () =>
  expect(readAuthorizerContext({ refusal: 'invalid_api_key', caller: 'anonymous' })).toEqual({
    refusal: 'invalid_api_key',
  }));
