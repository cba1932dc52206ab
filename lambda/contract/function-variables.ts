/** Which environment variables each function reads. Loaded by no function: its settings import the types alone. */

import { tableVariables, variables } from './environment';
import type { FunctionName } from './functions';

type VariableName =
  | (typeof tableVariables)[keyof typeof tableVariables]
  | (typeof variables)[keyof typeof variables];

/** `always`: the stack sets it in every stage. `sometimes`: only where the stage's settings ask for it. */
type Presence = 'always' | 'sometimes';

/** Of the functions behind the API, where a CloudFront distribution stands before it. */
const edge = { [variables.originLock]: 'sometimes', [variables.rootUrl]: 'sometimes' } as const;

/** The variables that each function reads: the stack sets exactly these, and the function's settings read exactly these. */
export const functionVariables = {
  authorizer: {
    [tableVariables.apiKeys]: 'always',
    [variables.tierKeys]: 'always',
    [variables.metricNamespace]: 'always',
  },
  redirect: {
    [tableVariables.quotaCounters]: 'always',
    [tableVariables.stockMemory]: 'always',
    [tableVariables.cache]: 'always',
    [tableVariables.generationIndex]: 'always',
    [variables.ipHashSecret]: 'always',
    [variables.slotBindings]: 'always',
    [variables.imageBaseUrl]: 'always',
    [variables.imageStore]: 'always',
    [variables.rendererFunction]: 'always',
    [variables.generatorFunction]: 'always',
    [variables.signingSecretId]: 'always',
    [variables.signingKeyPairId]: 'always',
    [variables.signerSecretId]: 'always',
    [variables.providerSecretId]: 'sometimes',
    [variables.providerEndpoints]: 'always',
    [variables.providerQuotas]: 'always',
    [variables.contact]: 'sometimes',
    [variables.eventBus]: 'always',
    [variables.plans]: 'always',
    [variables.generationsPerDay]: 'sometimes',
    [variables.waitingRequestsMax]: 'sometimes',
    [variables.testKeysGenerate]: 'sometimes',
    [variables.redirectMaxAge]: 'always',
    [variables.signedCharge]: 'always',
    [variables.metricNamespace]: 'always',
    ...edge,
  },
  usage: {
    [tableVariables.apiKeys]: 'always',
    [tableVariables.quotaCounters]: 'always',
    [variables.plans]: 'always',
    [variables.metricNamespace]: 'always',
    ...edge,
  },
  docs: { [variables.plans]: 'always', ...edge },
  renderer: {
    [tableVariables.cache]: 'always',
    [variables.imageStore]: 'always',
    [variables.contact]: 'always',
    [variables.providerSecretId]: 'sometimes',
    [variables.providerEndpoints]: 'always',
    [variables.metricNamespace]: 'always',
  },
  generator: {
    [tableVariables.quotaCounters]: 'always',
    [tableVariables.generationIndex]: 'always',
    [variables.imageStore]: 'always',
    [variables.generator]: 'always',
    [variables.testKeysGenerate]: 'sometimes',
    [variables.providerSecretId]: 'sometimes',
    [variables.metricNamespace]: 'always',
  },
  sweeper: {
    [tableVariables.quotaCounters]: 'always',
    [tableVariables.generationIndex]: 'always',
    [variables.imageStore]: 'always',
    [variables.metricNamespace]: 'always',
  },
} as const satisfies Readonly<Record<FunctionName, Readonly<Partial<Record<VariableName, Presence>>>>>;

/** The variables that one function reads, each with its presence. */
export type VariablesOf<F extends FunctionName> = (typeof functionVariables)[F];
