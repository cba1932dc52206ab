/** A local gateway over real HTTP with scripted functions behind it. */

import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';
import type { Tier } from '../../lambda/contract/plans';
import { problems } from '../../lambda/problems/problem';
import { createGateway, type Gateway } from '../../local/gateway/gateway';
import { createUsagePlans, type Throttle } from '../../local/gateway/throttles';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export const everything = {
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: '*' }],
};

/** The policy of an authorizer that admits a caller of a tier. */
export function admit(tier: Tier, context = {}): APIGatewayAuthorizerResult {
  return {
    principalId: 'p',
    policyDocument: everything as never,
    context,
    usageIdentifierKey: `local-usage-plan-key-${tier}`,
  };
}

/** A gateway that starts before a file's tests; before each test its functions and records are as new. */
export function useScriptedGateway() {
  let server: Loopback;
  let gateway: Gateway;
  const local = {
    nowMs: 0,
    asked: [] as APIGatewayRequestAuthorizerEvent[],
    handled: [] as { name: string; event: APIGatewayProxyEvent }[],
    faults: [] as unknown[],
    authorizer: async (_event: APIGatewayRequestAuthorizerEvent) => admit('anonymous'),
    answer: async (_event: APIGatewayProxyEvent): Promise<unknown> => undefined,

    /** Starts the gateway anew, with fresh throttles. */
    open(throttle: Throttle) {
      const handlerNamed = (name: string) => async (event: APIGatewayProxyEvent) => {
        local.handled.push({ name, event });
        return (await local.answer(event)) as APIGatewayProxyResult;
      };
      gateway = createGateway({
        functions: {
          authorizer: async (event) => {
            local.asked.push(event);
            return local.authorizer(event);
          },
          handlers: {
            redirect: handlerNamed('redirect'),
            usage: handlerNamed('usage'),
            docs: handlerNamed('docs'),
          },
        },
        usagePlans: createUsagePlans(throttle),
        nowMs: () => local.nowMs,
        rootUrl: server.address,
        onFault: (error) => local.faults.push(error),
      });
    },

    /** Sends the path unchanged; `fetch` and `URL` would normalise it. */
    call(path: string, method = 'GET', headers: Record<string, string | string[]> = {}, body?: string) {
      return new Promise<Reply>((resolve, reject) => {
        const { hostname, port } = new URL(server.address);
        const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        });
        sent.on('error', reject);
        sent.end(body);
      });
    },

    /** Sends a head that a tidy client would not, and gives the status line. */
    callRaw(head: string) {
      return new Promise<string>((resolve, reject) => {
        const { hostname, port } = new URL(server.address);
        let text = '';
        const socket = connect(Number(port), hostname, () =>
          socket.write(`${head}\r\nHost: local\r\nConnection: close\r\n\r\n`),
        );
        socket.on('data', (chunk) => {
          text += chunk.toString();
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''));
      });
    },

    expectProblem(reply: Reply, status: number, code: keyof typeof problems) {
      expect(reply.status).toBe(status);
      expect(reply.headers).toMatchObject({
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
      const document = JSON.parse(reply.body) as Record<string, unknown>;
      const { title } = problems[code];
      expect(document).toMatchObject({ status, code, title, type: `${server.address}/#${code}` });
      expect(document['requestId']).toMatch(/^[0-9a-f-]{36}$/);
      expect(document['detail']).toMatch(/\.$/);
    },
  };

  beforeAll(async () => {
    server = await listenOnLoopback((incoming, response) => void gateway(incoming, response));
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    local.nowMs = Date.parse('2026-11-21T12:00:00Z');
    local.open({ rate: 1_000, burst: 1_000 });
    local.asked = [];
    local.handled = [];
    local.faults = [];
    local.authorizer = async () => admit('anonymous', { caller: 'anonymous' });
    local.answer = async () => ({ statusCode: 200, headers: { 'X-Made': 'yes' }, body: 'made' });
  });
  return local;
}
