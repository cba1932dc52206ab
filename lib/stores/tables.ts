/** Adds the DynamoDB tables of the contract, and gives each function its rights on them. */

import { RemovalPolicy } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../lambda/contract/functions';
import {
  type TableDefinition,
  type TableName,
  tableAccess,
  tableNames,
  tables,
} from '../../lambda/contract/tables';
import { getRemovalPolicy, type Stage } from '../stage';

export type Tables = Readonly<Record<TableName, dynamodb.ITableV2>>;

/**
 * Adds all tables. A restored table is used in place of the stack's table, which stays. A key of DynamoDB encrypts
 * them, because requests to KMS would cost more than the reads.
 */
export function addTables(scope: Construct, stage: Stage): Tables {
  const usedTables = tableNames.map((name) => {
    const { indexes, isDurable }: TableDefinition = tables[name];
    const warmWrites = name === 'quotaCounters' ? stage.warmWrites : undefined;
    const id = `${name[0]?.toUpperCase()}${name.slice(1)}Table`;
    const table = new dynamodb.TableV2(scope, id, {
      partitionKey: makeAttribute('pk'),
      globalSecondaryIndexes: indexes.map((index) => ({
        indexName: index.name,
        partitionKey: makeAttribute(index.partitionKey),
        ...(index.sortKey && { sortKey: makeAttribute(index.sortKey) }),
        projectionType: index.keysOnly ? dynamodb.ProjectionType.KEYS_ONLY : dynamodb.ProjectionType.ALL,
      })),
      timeToLiveAttribute: 'ttl',
      billing: dynamodb.Billing.onDemand(),
      ...(warmWrites !== undefined && { warmThroughput: { writeUnitsPerSecond: warmWrites } }),
      encryption: dynamodb.TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isDurable },
      removalPolicy: isDurable ? getRemovalPolicy(stage) : RemovalPolicy.DESTROY,
    });
    const tableName = stage.restoredTables[name];
    if (tableName === undefined) return [name, table];
    const attributes = { tableName, grantIndexPermissions: indexes.length > 0 };
    return [name, dynamodb.TableV2.fromTableAttributes(scope, `Restored${id}`, attributes)];
  });
  return Object.fromEntries(usedTables);
}

const makeAttribute = (name: string) => ({ name, type: dynamodb.AttributeType.STRING });

/** Gives a function its rights on each table, as the contract lists them. */
export function grantTables(usedTables: Tables, name: FunctionName, grantee: IGrantable): void {
  for (const table of tableNames) {
    const actions = tableAccess[table][name] ?? [];
    if (actions.length > 0)
      usedTables[table].grant(grantee, ...actions.map((action) => `dynamodb:${action}`));
  }
}
