/** The check of a release against the stack that it updates: what would go back is refused by name, unless it is accepted. */

import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { checkRelease, type ReleaseFacts } from '../../lib/deploy-time/check-release/check-release';

type Settings = Readonly<Record<string, unknown>>;

/** @param deployed settings of the stack; `undefined` for one that has never been deployed */
async function check(
  deployed: Settings | undefined,
  planned: Settings,
  { version = '1.9.0', ...more }: Partial<ReleaseFacts> & { readonly version?: string } = {},
): Promise<string | undefined> {
  const outputs = deployed && { Settings: JSON.stringify(deployed), Version: version };
  const facts = {
    Version: '1.10.0',
    Defaults: '{}',
    MayGoBack: '',
    Settings: JSON.stringify(planned),
    ...more,
  };
  const event = { RequestType: 'Update', StackId: 'stack', ResourceProperties: facts };
  const work = checkRelease(async () => outputs ?? {})(event as unknown as CloudFormationCustomResourceEvent);
  return work.then(
    () => undefined,
    (error: Error) => error.message,
  );
}

const keys = (version: number, ...trusted: readonly number[]) => ({ signingKey: { version, trusted } });
const changed = { edge: true, libraryFirst: 'off' };

test.each<[string, Parameters<typeof check>]>([
  ['a stack that has nothing yet', [undefined, changed]],
  ['the same settings', [changed, changed]],
  ['more settings', [{}, changed]],
  ['another value of a setting', [{ redirectMaxAgeS: '60' }, { redirectMaxAgeS: '88' }]],
  ['what is accepted', [changed, {}, { MayGoBack: 'edge,libraryFirst' }]],
  ['an older version that is accepted', [{}, {}, { version: '1.11.0', MayGoBack: 'version' }]],
  ['a stack that states no version', [{}, {}, { version: '' }]],
  [
    'a parameter that stays at its default',
    [{ contact: 'a' }, { contact: 'a' }, { Defaults: '{"contact":"a"}' }],
  ],
  ['the next key, while the one in use is trusted', [{}, keys(2, 1, 2)]],
])('takes %s', async (_, args) => {
  expect(await check(...args)).toBeUndefined();
});

test.each<[string, Parameters<typeof check>, string]>([
  ['settings that go back', [changed, {}], 'mayGoBack=edge,libraryFirst.'],
  ['all but what is accepted', [changed, {}, { MayGoBack: 'edge' }], 'mayGoBack=libraryFirst.'],
  [
    'a setting whose name is part of an accepted one',
    [{ judge: 'a', judgementsPerDay: 1 }, {}, { MayGoBack: 'judgementsPerDay' }],
    'mayGoBack=judge.',
  ],
  [
    'a parameter that goes back to its default',
    [{ redirectMaxAgeS: '60' }, { redirectMaxAgeS: '300' }, { Defaults: '{"redirectMaxAgeS":300}' }],
    'mayGoBack=redirectMaxAgeS.',
  ],
  [
    'an older version',
    [{}, {}, { version: '1.11.0' }],
    'This release (1.10.0) would set back what the stack (1.11.0) has: version.',
  ],
  [
    'a key that is in use, whatever is accepted',
    [keys(2, 1, 2), {}, { MayGoBack: 'signingKey' }],
    'signingKey no longer trusts version 2',
  ],
])('refuses %s', async (_, args, text) => {
  expect(await check(...args)).toContain(text);
});

test('a stack that is deleted is asked nothing', async () => {
  const event = { RequestType: 'Delete' } as unknown as CloudFormationCustomResourceEvent;
  const work = checkRelease(async () => {
    throw new Error('asked');
  });
  expect(await work(event)).toEqual({});
});
