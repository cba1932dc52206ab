/** The DynamoDB tables, made from their definitions in the contract, with what each function may do with them. */

import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type ITableV2,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { tableVariables } from '../../lambda/contract/environment';
import type { FunctionName } from '../../lambda/contract/functions';
import {
  type AttributeDefinition,
  type TableDefinition,
  type TableName,
  tableAccess,
  tables,
} from '../../lambda/contract/tables';
import type { ServiceFunction } from '../functions/service-function';
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
    const warmWrites = contractName === 'quotaCounters' ? stage.warmWrites : undefined;
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
      ...(warmWrites !== undefined && { warmThroughput: { writeUnitsPerSecond: warmWrites } }),
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

/** All tables of the contract: the stack's own, or what was restored in their place. */
export class Tables {
  readonly all: Readonly<Record<TableName, ITableV2>>;

  constructor(
    scope: Construct,
    private readonly stage: Stage,
  ) {
    const all = (Object.keys(tables) as TableName[]).map((name) => {
      const id = logicalIdOf(name);
      const own = new ContractTable(scope, id, name, stage);
      const restored = stage.restoredTables[name];
      if (restored === undefined) return [name, own];
      const attributes = { tableName: restored, grantIndexPermissions: tables[name].indexes.length > 0 };
      return [name, TableV2.fromTableAttributes(scope, `Restored${id}`, attributes)];
    });
    this.all = Object.fromEntries(all);
  }

  /** Environment variables that hold the tables' names. */
  get variables(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(this.all).map(([name, { tableName }]) => [tableVariables[name as TableName], tableName]),
    );
  }

  /** To do with each table what the contract says of the function. */
  grant(fn: ServiceFunction, name: FunctionName): void {
    for (const [table, serving] of Object.entries(this.all) as [TableName, ITableV2][]) {
      const actions = tableAccess[table][name];
      if (!actions) continue;
      serving.grant(fn, ...actions.map((action) => `dynamodb:${action}`));
      const restored = this.stage.restoredTables[table];
      const arn = restored === undefined ? `<${logicalIdOf(table)}.Arn>` : `${restoredArn}${restored}`;
      acknowledge(fn.executionRole, {
        [`AwsSolutions-IAM5[Resource::${arn}/index/*]`]:
          'The indexes of one table, whose items the function may read anyway.',
      });
    }
  }
}

const restoredArn = 'arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/';

function logicalIdOf(name: TableName): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}Table`;
}
