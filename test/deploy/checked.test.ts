/** What only an account can say: whether each role may do what its function does, and whether alarms arrive. */

import { randomUUID } from 'node:crypto';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask } from '../e2e/ask';
import { accessOf, readEdge } from './edge';
import { fetchOver } from './fetch-over';

const { outputs: deployed, keys, port, edgeFile, stack } = readFacts();
const url = deployed[outputs.apiUrl] ?? '';

jest.setTimeout(60_000);

/** Calls an action of one of AWS's query APIs as the account's root. */
async function call(
  service: string,
  action: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const query = new URLSearchParams({ Action: action, ...parameters });
  const credential = `test/20261121/us-east-1/${service}/aws4_request`;
  const answer = await fetchOver(port, new URL(`https://localhost/?${query}`), {
    method: 'POST',
    headers: {
      Authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`,
      'X-Amz-Date': '20261121T000000Z',
    },
  });
  const text = await answer.text();
  expect([action, answer.status, text.slice(0, 300)]).toEqual([action, 200, expect.anything()]);
  return text;
}

test.each(['Authorizer', 'Redirect', 'Renderer', 'Generator', 'Usage', 'TableProtector', 'SigningKeyMaker'])(
  'every call of %s was checked against its role, and none was refused',
  (name) => {
    for (const [role, { denied, allowed }] of Object.entries(accessOf(name))) {
      expect([role, denied]).toEqual([role, []]);
      expect(allowed).not.toEqual([]);
    }
  },
);

test('a missing action is noticed: without BatchGetItem the usage cannot be read', async () => {
  // What was read is kept for a minute, so this is the first report of its account.
  const headers = { 'X-API-Key': keys.pro.key };
  // The stack before had a role of its own.
  const [role = ''] = Object.keys(accessOf('Usage')).slice(-1);
  const statement = { Effect: 'Deny', Action: 'dynamodb:BatchGetItem', Resource: '*' };
  await call('iam', 'PutRolePolicy', {
    RoleName: role,
    PolicyName: 'planted',
    PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [statement] }),
    Version: '2010-05-08',
  });
  const refused = await ask(url, { path: '/api/usage', headers });
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([500, 'internal_error']);
  expect(accessOf('Usage')[role]?.denied).toEqual([expect.stringContaining('dynamodb:BatchGetItem on ')]);
  await call('iam', 'DeleteRolePolicy', { RoleName: role, PolicyName: 'planted', Version: '2010-05-08' });
  expect((await ask(url, { path: '/api/usage', headers })).status).toBe(200);
});

test('an alarm that fires reaches its topic', async () => {
  const described = await call('monitoring', 'DescribeAlarms', { Version: '2010-08-01' });
  const names = [...described.matchAll(/<AlarmName>([^<]+)/g)].map(([, name]) => name as string);
  const ours = names.filter((name) => name.startsWith(stack) && !name.includes('Canary'));
  const made: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client: new CloudFormationClient() },
    { StackName: stack },
  ))
    for (const { ResourceType, PhysicalResourceId = '' } of StackResourceSummaries)
      if (ResourceType === 'AWS::CloudWatch::Alarm') made.push(PhysicalResourceId);
  expect(ours.toSorted()).toEqual(made.toSorted());
  expect(made.length).toBeGreaterThanOrEqual(10);
  const StateReason = randomUUID();
  for (const AlarmName of ours)
    await call('monitoring', 'SetAlarmState', {
      AlarmName,
      StateValue: 'ALARM',
      StateReason,
      Version: '2010-08-01',
    });
  const { alarms } = readEdge(edgeFile);
  expect(alarms.delivered).toEqual(expect.arrayContaining(ours));
  expect(alarms.refused).toEqual([]);
});
