/** A function as it starts from its environment, with a real engine and one server for all else of AWS. */

import { type TableName, tableVariables } from '../../lambda/contract/tables';
import type { Setting, Settings } from '../../lambda/services/settings';
import { reachAwsAt } from '../fakes/aws-environment';
import { type Engine, startEngine } from '../fakes/database';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';

let engine: Engine;
let aws: Loopback;
let leaveAws: () => void;

type Answer = Parameters<typeof listenOnLoopback>[0];

const answerAsRenderer: Answer = (_, response) => response.end('{"outcome":"stored"}');

/**
 * Starts both before the tests of a file, and stops them after.
 * @param answer of the server; by default that of a renderer that has stored
 * @param secret value of every secret; `null` where the server answers for them too
 * @returns the engine, the address of the server, and the `User-Agent` of each request to it
 */
export function startSurroundings(answer = answerAsRenderer, secret: string | null = 'a secret') {
  const around = { engine: undefined as unknown as Engine, address: '', agents: [] as string[] };
  beforeAll(async () => {
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    around.engine = engine = await startEngine();
    aws = await listenOnLoopback((request, response) => {
      around.agents.push(request.headers['user-agent'] ?? '');
      const isSecret = request.headers['x-amz-target']?.toString().startsWith('secretsmanager.');
      return isSecret && secret !== null
        ? response.end(JSON.stringify({ SecretString: secret }))
        : answer(request, response);
    });
    around.address = aws.address;
    leaveAws = reachAwsAt(aws.address, 'us-east-1');
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    leaveAws();
    await aws.stop();
    await engine.stop();
  });
  return around;
}

function isOptional(read: Setting<unknown>): boolean {
  try {
    read('');
    return true;
  } catch {
    return false;
  }
}

/** A new instance. @param changes variables beside those that it cannot start without */
export async function startFunction<Handler>(
  load: () => Promise<{ readonly handler: Handler }>,
  settings: Settings,
  changes: Readonly<Record<string, string>>,
): Promise<Handler> {
  const names = Object.entries(engine.tableNames) as [TableName, string][];
  process.env = {
    ...process.env,
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    ...Object.fromEntries(
      Object.entries(settings).map(([name, read]) => [name, isOptional(read) ? '' : name]),
    ),
    ...Object.fromEntries(names.map(([table, name]) => [tableVariables[table], name])),
    IMAGE_BASE_URL: 'https://images.example.org',
    IMAGE_STORE: 's3://images',
    SLOT_BINDINGS: '{"stock_a":"sandbox","stock_b":"sandbox","stock_c":"sandbox"}',
    ...changes,
  };
  jest.resetModules();
  return (await load()).handler;
}
