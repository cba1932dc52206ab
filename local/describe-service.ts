/** Describes the local service to the operator's commands: where its tables are and how its functions are configured, never a key. */

import { variables } from '../lambda/contract/environment';
import type { TableName } from '../lambda/contract/tables';

export interface LocalEdges {
  /** URLs of the embedded DynamoDB, and of the other AWS services. */
  readonly dynamodb: string;
  readonly aws: string;
  readonly tables: Readonly<Record<TableName, string>>;
}

/** Variables of the functions that the commands read. */
const described = [
  variables.slotBindings,
  variables.providerEndpoints,
  variables.providerQuotas,
  variables.providerSecretId,
  variables.contact,
] as const;

/** The JSON behind `GET /_local`. @param environment of the functions */
export function describeService(
  edges: LocalEdges,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const stockProviders = Object.fromEntries(described.map((name) => [name, environment[name]]));
  return JSON.stringify({
    ...edges,
    plans: environment[variables.plans],
    generationsPerDay: environment[variables.generationsPerDay],
    stockProviders,
  });
}
