/** The environment of the functions and of the programs they are compared with, with the tables on loopback. */

import { tableVariables, variables } from '../../../lambda/contract/environment';
import { tiers } from '../../../lambda/contract/plans';
import type { DynamoDbStandIn } from './dynamodb-stand-in';
import { apiKeysTable } from './stored-items';

export function functionEnvironment({
  url,
  certificateFile,
}: Pick<DynamoDbStandIn, 'url' | 'certificateFile'>): Readonly<Record<string, string>> {
  return {
    [tableVariables.apiKeys]: apiKeysTable,
    [tableVariables.quotaCounters]: 'bench-quota-counters',
    [tableVariables.stockMemory]: 'bench-stock-memory',
    [tableVariables.cache]: 'bench-cache',
    [tableVariables.generationIndex]: 'bench-generation-index',
    [variables.tierKeys]: JSON.stringify(
      Object.fromEntries(tiers.map((tier) => [tier, `tier-${tier}-${'0'.repeat(20)}`])),
    ),
    [variables.slotBindings]: JSON.stringify({
      stock_a: 'openverse',
      stock_b: 'wikimedia',
      stock_c: 'sandbox',
    }),
    [variables.ipHashSecret]: 'a secret of the benchmark',
    [variables.imageBaseUrl]: 'https://images.example.org',
    [variables.imageStore]: 's3://bench-images',
    [variables.rendererFunction]: 'RendererFunction',
    [variables.generatorFunction]: 'GeneratorFunction',
    [variables.signingSecretId]: 'SigningSecret',
    [variables.signerSecretId]: 'SignerSecret',
    [variables.signingKeyPairId]: 'KEYPAIR',
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: 'us-east-1',
    // As Lambda sets them: with a token, which is signed and sent too.
    AWS_ACCESS_KEY_ID: 'BENCH',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_SESSION_TOKEN: 'bench'.repeat(120),
    AWS_LAMBDA_FUNCTION_NAME: 'function',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    LAMBDA_TASK_ROOT: '/var/task',
    NODE_EXTRA_CA_CERTS: certificateFile,
  };
}
