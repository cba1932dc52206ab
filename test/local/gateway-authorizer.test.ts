/** How the local gateway calls the authorizer and applies its policy. */

import { admit, everything, useScriptedGateway } from './scripted-gateway';

const nothing = {
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect: 'Deny', Resource: '*' }],
};

describe('the local gateway calls the authorizer', () => {
  const local = useScriptedGateway();

  it('with the same headers and parameters, and the ARN of the method', async () => {
    await local.call('/api/image/800x600-sea?api_key=a&api_key=b', 'HEAD', { 'x-api-KEY': 'k' });
    expect(local.asked[0]).toMatchObject({
      type: 'REQUEST',
      methodArn: expect.stringMatching(/^arn:aws:execute-api:[^/]+\/local\/HEAD\/api\/image\/800x600-sea$/),
      multiValueHeaders: { 'x-api-KEY': ['k'] },
      multiValueQueryStringParameters: { api_key: ['a', 'b'] },
    });
  });

  it('and passes its context to the function', async () => {
    local.authorizer = async () => admit('pro', { caller: 'live', plan: 'pro' });
    await local.call('/api/image');
    expect(local.handled[0]?.event.requestContext.authorizer).toEqual({
      principalId: 'p',
      caller: 'live',
      plan: 'pro',
    });
  });

  it('only for the methods that need it', async () => {
    await local.call('/', 'GET');
    expect(local.handled).toHaveLength(1);
    for (const method of ['OPTIONS', 'POST', 'DELETE']) await local.call('/api/image', method);
    expect(local.asked).toEqual([]);
    expect(local.handled).toHaveLength(1);
  });

  it('and answers a Deny with 401 and a problem document', async () => {
    local.authorizer = async () => ({ ...admit('anonymous'), policyDocument: nothing as never });
    local.expectProblem(await local.call('/api/usage'), 401, 'invalid_api_key');
    expect(local.handled).toEqual([]);
  });

  it('and takes a policy for other routes as a Deny', async () => {
    const elsewhere = {
      ...everything,
      Statement: [{ ...everything.Statement[0], Resource: 'arn:*/GET/api/image' }],
    };
    local.authorizer = async () => ({ ...admit('anonymous'), policyDocument: elsewhere as never });
    local.expectProblem(await local.call('/api/usage'), 401, 'invalid_api_key');
    expect((await local.call('/api/image')).status).toBe(200);
  });

  it('and answers its failure with 503, not with 401', async () => {
    local.authorizer = async () => {
      throw new Error('the table burns');
    };
    const reply = await local.call('/api/usage');
    local.expectProblem(reply, 503, 'service_unavailable');
    expect(reply.headers['retry-after']).toBe('5');
    expect(reply.body).not.toContain('burns');
    expect(local.faults).toHaveLength(1);
  });

  it('and answers a tier that no usage plan has with 500', async () => {
    local.authorizer = async () => ({ ...admit('free'), usageIdentifierKey: 'unknown' });
    local.expectProblem(await local.call('/api/image'), 500, 'internal_error');
  });

  it('and throttles a tier beyond its burst until time has passed', async () => {
    local.authorizer = async () => admit('free');
    local.open({ rate: 2, burst: 3 });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await local.call('/api/image')).status);
    expect(statuses).toEqual([200, 200, 200]);
    const throttled = await local.call('/api/image');
    local.expectProblem(throttled, 429, 'rate_limited');
    expect(throttled.headers['retry-after']).toBe('1');
    expect(local.handled).toHaveLength(3);
    // Asking meanwhile gains nothing, and a clock that is set back takes nothing away.
    const asked = [
      [200, 429],
      [200, 429],
      [100, 200],
      [0, 429],
      [-60_000, 429],
      [500, 200],
    ] as const;
    for (const [passedMs, status] of asked) {
      local.nowMs += passedMs;
      expect((await local.call('/api/image')).status).toBe(status);
    }
    local.authorizer = async () => admit('pro');
    expect((await local.call('/api/image')).status).toBe(200);
  });
});
