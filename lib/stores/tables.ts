/** The DynamoDB tables, made from their definitions in the contract, with what each function may do with them. */

import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct, type IDependable } from 'constructs';
import { tableVariables } from '../../lambda/contract/environment';
import type { FunctionName } from '../../lambda/contract/functions';
import {
  type AttributeDefinition,
  type TableDefinition,
  type TableName,
  tableAccess,
  tables,
} from '../../lambda/contract/tables';
import { DeployTimeFunction } from '../deploy-time/deploy-time-function';
import type { NodeFunction } from '../functions/node-function';
import { acknowledge, pinLogicalId } from '../resources';
import { retentionOf, type Stage } from '../stage';

const attribute = ({ name, type }: AttributeDefinition) => ({
  name,
  type: type === 'S' ? AttributeType.STRING : AttributeType.NUMBER,
});

/** A table paid per request and encrypted; retained and restorable where the contract says so. The id is the logical id. */
class ContractTable extends TableV2 {
  constructor(scope: Construct, id: string, contractName: TableName, stage: Stage) {
    const definition: TableDefinition = tables[contractName];
    super(scope, id, {
      partitionKey: { name: definition.partitionKey, type: AttributeType.STRING },
      globalSecondaryIndexes: definition.indexes.map((index) => ({
        indexName: index.name,
        partitionKey: attribute(index.partitionKey),
        ...(index.sortKey ? { sortKey: attribute(index.sortKey) } : {}),
        projectionType: index.keysOnly ? ProjectionType.KEYS_ONLY : ProjectionType.ALL,
      })),
      timeToLiveAttribute: definition.ttl,
      billing: Billing.onDemand(),
      // Encrypted at rest with a key that DynamoDB owns: no request to KMS, which would cost more than the reads.
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: definition.isDurable },
      removalPolicy: definition.isDurable ? retentionOf(stage) : RemovalPolicy.DESTROY,
    });
    pinLogicalId(this, id);
    if (!definition.isDurable)
      acknowledge(this, { 'AwsSolutions-DDB3': 'A cache may be lost, so there is nothing to restore.' });
  }
}

/** What of a table its users need to know. */
type ServingTable = Pick<TableV2, 'tableName' | 'tableArn'>;

/** All tables of the contract. */
export class Tables {
  /** Those that serve: the stack's own, or what was restored in their place. */
  readonly all: Readonly<Record<TableName, ServingTable>>;
  /** Those that must not be lost: the stack's own, and what was restored. */
  readonly durable: readonly ServingTable[];

  constructor(scope: Construct, stage: Stage) {
    const { restoredTables } = stage;
    const made = (Object.keys(tables) as TableName[]).map((name) => {
      const id = `${name[0]?.toUpperCase()}${name.slice(1)}Table`;
      const own = new ContractTable(scope, id, name, stage);
      const restored = restoredTables[name];
      const serving: ServingTable =
        restored === undefined ? own : TableV2.fromTableName(scope, `Restored${id}`, restored);
      return { name, own, serving };
    });
    this.all = Object.fromEntries(made.map(({ name, serving }) => [name, serving])) as Record<
      TableName,
      ServingTable
    >;
    const durable = made.filter(({ name }) => tables[name].isDurable);
    this.durable = [...new Set(durable.flatMap(({ own, serving }) => [own, serving]))];
  }

  /** To do with each table what the contract says of the function, which finds the table's name in a variable. */
  grant(fn: NodeFunction, name: FunctionName): void {
    for (const [table, serving] of Object.entries(this.all) as [TableName, ServingTable][]) {
      const access = tableAccess[table][name];
      if (!access) continue;
      fn.addEnvironment(tableVariables[table], serving.tableName);
      const indexArns = tables[table].indexes.map((index) => `${serving.tableArn}/index/${index.name}`);
      allow(fn, access.table, [serving.tableArn]);
      allow(fn, access.indexes, indexArns);
    }
  }
}

function allow(fn: NodeFunction, actions: readonly string[] = [], resourceArns: string[]): void {
  if (actions.length === 0 || resourceArns.length === 0) return;
  Grant.addToPrincipal({
    grantee: fn,
    actions: actions.map((action) => `dynamodb:${action}`),
    resourceArns,
  });
}

/**
 * Deletion protection of the tables, switched on at the end of a deployment: a table that is protected from its creation
 * on would be in the way when a first deployment fails and is rolled back.
 */
export class ProtectedTables extends Construct {
  /** @param after what has to be deployed before */
  constructor(scope: Construct, stage: Stage, { durable }: Tables, after: readonly IDependable[]) {
    super(scope, 'ProtectedTables');
    const protector = new DeployTimeFunction(
      this,
      'TableProtector',
      stage,
      'protectTables',
      'Switches the deletion protection of the tables at the end of a deployment',
    );
    protector.allow(
      ['dynamodb:DescribeTable', 'dynamodb:UpdateTable'],
      durable.map(({ tableArn }) => tableArn),
    );
    const protection = protector.customResource('TableProtection', 'TableProtection', {
      TableNames: durable.map(({ tableName }) => tableName),
      Protected: String(stage.keepsData),
    });
    protection.node.addDependency(...after);
  }
}
