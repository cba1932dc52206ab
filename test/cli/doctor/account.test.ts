/** Where the doctor asks: what is not in the region of the stack is read where it is. */

import { awsAccount } from '../../../cli/doctor/account';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

let aws: Loopback;
/** Region and service that each request was signed for. */
const asked: string[] = [];
const { env } = process;

beforeAll(async () => {
  aws = await listenOnLoopback((request, response) => {
    asked.push(/Credential=[^/]+\/\d+\/([\w-]+\/\w+)/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  process.env = { ...env, AWS_ENDPOINT_URL: aws.address, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
});
afterAll(async () => {
  process.env = env;
  await aws.stop();
});

const account = () => awsAccount('eu-west-3');
const arn = 'arn:aws:acm:us-east-1:123456789012:certificate/1';

it.each([
  ['the executions of the stack', () => account().functionLimits(), 'eu-west-3/lambda'],
  ['a certificate', () => account().certificate(arn), 'us-east-1/acm'],
  ['access to a model', () => account().modelAvailability('a.model', 'us-west-2'), 'us-west-2/bedrock'],
  ['the end of a model', () => account().modelLifecycle('a.model', 'us-west-2', 0), 'us-west-2/bedrock'],
])('reads %s where it is', async (_, read, place) => {
  await read();
  expect(asked.splice(0)).toEqual([place]);
});
