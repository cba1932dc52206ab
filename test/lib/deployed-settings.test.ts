/** What a stack says of its settings before a deployment takes some of them back. */

import { outputs } from '../../lambda/contract/outputs';
import { deployedSettings } from '../../lib/deployed-settings';
import { type ScriptedCloudFormation, startCloudFormation } from '../cli/scripted-cloudformation';
import { reachAwsAt } from '../fakes/aws-environment';

let cloudFormation: ScriptedCloudFormation;
let leaveAws: () => void;

beforeAll(async () => {
  cloudFormation = await startCloudFormation(() => ({
    Images: {
      [outputs.settings]: '{"logRetentionDays":"30","contact":"ops@exam',
      [`${outputs.settings}2`]: 'ple.org"}',
      [outputs.version]: '1.2.3',
    },
    Older: { [outputs.apiUrl]: 'https://img.example.org' },
    Damaged: { [outputs.settings]: '{' },
    Forbidden: { status: 403, code: 'AccessDenied', message: 'no' },
  }));
  leaveAws = reachAwsAt(cloudFormation.address);
});
afterAll(async () => {
  leaveAws();
  await cloudFormation.stop();
});

const own = { region: 'eu-west-3', account: '123456789012' };
const read = (name: string, { region, account }: Partial<typeof own> = own) =>
  deployedSettings(name, region, account);

it('reads the settings over several outputs, those of a release as numbers too, and the version', async () => {
  expect(await read('Images')).toEqual({
    settings: { logRetentionDays: 30, contact: 'ops@example.org' },
    version: '1.2.3',
  });
});

it.each([
  ['a stack of another account', 'Images', { ...own, account: '210987654321' }],
  ['a stack without an account to compare it with', 'Images', { region: own.region }],
  ['a stack of no region', 'Images', { account: own.account }],
  ['no stack', 'Nowhere', own],
  ['a stack that says nothing of its settings', 'Older', own],
  ['a stack whose settings cannot be read', 'Damaged', own],
  ['a stack that may not be read', 'Forbidden', own],
])('knows nothing of %s', async (_, name, place) => {
  expect(await read(name, place)).toBeUndefined();
});
