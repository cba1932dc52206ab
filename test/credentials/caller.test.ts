/** The caller that the authorizer writes is the one that functions behind it read. */

import {
  type AuthorizerResult,
  readAuthorizerContext,
  writeAuthorizerContext,
} from '../../lambda/credentials/caller';
import { accountId } from '../fakes/values';

const live = { kind: 'live', account: accountId('acc_1'), plan: 'pro', keyId: 'key_1' } as const;

test.each<AuthorizerResult>([
  { kind: 'anonymous' },
  { ...live, plan: 'free' },
  { ...live, kind: 'test' },
  { ...live, accountName: 'Zoë & Co', role: 'owner' },
  { ...live, publishedAs: 'signer' },
  { ...live, kind: 'test', publishedAs: 'site', isUnproven: true, maxPerMonth: 500 },
  { refusal: 'invalid_api_key' },
  { refusal: 'conflicting_parameters' },
  { refusal: 'service_unavailable' },
])('a function reads the result %j of the authorizer', (result) => {
  const context = writeAuthorizerContext(result);
  expect(Object.values(context).every((value) => typeof value === 'string')).toBe(true);
  // API Gateway adds the principal.
  expect(readAuthorizerContext({ ...context, principalId: 'anonymous' })).toEqual(result);
});

test.each([[null], [undefined], [{}], [{ caller: 'root' }], [{ ...live }]])(
  'the context %j is read as an outage, never as a caller',
  (context) => expect(readAuthorizerContext(context)).toEqual({ refusal: 'service_unavailable' }),
);

test('a result with a refusal and a caller is read as the refusal', () =>
  expect(readAuthorizerContext({ refusal: 'invalid_api_key', caller: 'anonymous' })).toEqual({
    refusal: 'invalid_api_key',
  }));
