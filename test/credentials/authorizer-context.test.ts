/** What the authorizer writes is what the functions behind it read. */

import { planNames } from '../../lambda/contract/plans';
import { authorizerContextOf, readAuthorizerContext } from '../../lambda/credentials/authorizer-context';
import { type Admission, credentialFaults } from '../../lambda/credentials/caller';
import { accountId } from '../fakes/branded';

const keyed = { account: accountId('acc_1'), plan: 'pro', keyId: 'key_1' } as const;
const admissions: readonly Admission[] = [
  { outcome: 'known', caller: { kind: 'anonymous' } },
  ...planNames.map((plan) => ({ outcome: 'known', caller: { kind: 'live', ...keyed, plan } }) as const),
  { outcome: 'known', caller: { kind: 'test', ...keyed } },
  { outcome: 'known', caller: { kind: 'live', ...keyed, accountName: 'Zoë & Co' } },
  { outcome: 'known', caller: { kind: 'live', ...keyed, publishedAs: 'signer' } },
  { outcome: 'known', caller: { kind: 'test', ...keyed, publishedAs: 'site', maxPerMonth: 500 } },
  {
    outcome: 'known',
    caller: { kind: 'live', ...keyed, publishedAs: 'site', isUnproven: true, maxPerMonth: 1 },
  },
  ...credentialFaults.map((code) => ({ outcome: 'refused', code }) as const),
  { outcome: 'outage' },
];

test.each(admissions)('%j passes from one function to another', (admission) => {
  const context = authorizerContextOf(admission);
  expect(Object.values(context).every((value) => typeof value === 'string')).toBe(true);
  // API Gateway adds the principal.
  expect(readAuthorizerContext({ ...context, principalId: 'anonymous' })).toEqual(admission);
});

test.each([
  [null],
  [undefined],
  [{}],
  [{ caller: 'root' }],
  ...['gold', '', 'Free', 'anonymous', 'toString', undefined, null, 4, ['free']].map(
    (plan): [Readonly<Record<string, unknown>>] => [{ caller: 'live', ...keyed, plan }],
  ),
  [{ caller: 'live', account: accountId('acc_1'), plan: 'pro' }],
  [{ caller: 'live', ...keyed, account: 7 }],
])('%j is read as an outage, never as a caller', (context) => {
  expect(readAuthorizerContext(context)).toEqual({ outcome: 'outage' });
});

test('a refusal wins over a caller', () => {
  const context = {
    ...authorizerContextOf({ outcome: 'refused', code: 'invalid_api_key' }),
    caller: 'anonymous',
  };
  expect(readAuthorizerContext(context)).toEqual({ outcome: 'refused', code: 'invalid_api_key' });
});
