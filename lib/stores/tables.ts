/** The DynamoDB tables, made from their definitions in the contract, and what each function may do with them. */

import { CustomResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct, type IDependable } from 'constructs';
import { tableVariables } from '../../lambda/contract/environment';
import {
  type AttributeDefinition,
  type TableDefinition,
  type TableName,
  tables,
} from '../../lambda/contract/tables';
import { deployTimeoutsS } from '../../lambda/contract/timeouts';
import { NodeFunction } from '../functions/node-function';
import { acknowledge, pinLogicalId } from '../resources';
import { retentionOf, type Stage } from '../stage';

const attribute = ({ name, type }: AttributeDefinition) => ({
  name,
  type: type === 'S' ? AttributeType.STRING : AttributeType.NUMBER,
});

/** A table paid per request and encrypted; retained and restorable where the contract says so. The id is the logical id. */
class ContractTable<T extends TableName> extends TableV2 {
  constructor(
    scope: Construct,
    id: string,
    private readonly contractName: T,
    stage: Stage,
  ) {
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

  /** Allows exactly these actions on the table, and sets the function's variable of the table's name. */
  allow(fn: NodeFunction, actions: readonly string[]): void {
    this.allowOn(fn, actions, this.tableArn);
  }

  /** Allows exactly these actions on each of the table's indexes. */
  allowOnIndexes(fn: NodeFunction, actions: readonly string[]): void {
    for (const { name } of tables[this.contractName].indexes)
      this.allowOn(fn, actions, `${this.tableArn}/index/${name}`);
  }

  private allowOn(fn: NodeFunction, actions: readonly string[], resourceArn: string): void {
    fn.addEnvironment(tableVariables[this.contractName], this.tableName);
    Grant.addToPrincipal({
      grantee: fn,
      actions: actions.map((action) => `dynamodb:${action}`),
      resourceArns: [resourceArn],
    });
  }
}

/** The table of issued API keys. */
export class ApiKeys {
  readonly table: ContractTable<'apiKeys'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'ApiKeysTable', 'apiKeys', stage);
  }

  get tableName(): string {
    return this.table.tableName;
  }

  /** To look one key up by its hash. */
  grantFind(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem']);
  }

  /** To list the keys of an account. */
  grantList(fn: NodeFunction): void {
    this.table.allowOnIndexes(fn, ['Query']);
  }
}

/** The table of quota counters, hourly windows and usage. */
export class QuotaCounters {
  readonly table: ContractTable<'quotaCounters'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'QuotaCountersTable', 'quotaCounters', stage);
  }

  get tableName(): string {
    return this.table.tableName;
  }

  /** To charge, give back and settle: single-item reads and conditional updates. */
  grantCharge(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'UpdateItem']);
  }

  /** To find counters with unsettled units, and to settle them; to find the usage of past days, and to add it up. */
  grantSweep(fn: NodeFunction): void {
    this.grantCharge(fn);
    this.table.allow(fn, ['BatchGetItem', 'PutItem']);
    this.table.allowOnIndexes(fn, ['Scan']);
  }

  /** To read what an account used. */
  grantReport(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'BatchGetItem']);
    this.table.allowOnIndexes(fn, ['Query']);
  }
}

/** The table of AI images: who is making each, and where it is stored once it is made. */
export class GenerationIndex {
  readonly table: ContractTable<'generationIndex'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'GenerationIndexTable', 'generationIndex', stage);
  }

  /** To look up, lease and finish an image, and to find it by look or by its id. */
  grantServe(fn: NodeFunction): void {
    this.grantSettle(fn);
    this.table.allowOnIndexes(fn, ['Query']);
  }

  /** To read one image's record and change its state. */
  grantSettle(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'UpdateItem']);
  }
}

/**
 * The table of what was picked for stock queries. Its logical id is that of the one table that held the cached items too, so that a deployed stack keeps its picks.
 */
export class StockMemory {
  readonly table: ContractTable<'stockMemory'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'LookupCacheTable', 'stockMemory', stage);
  }

  /** To read, lease and store picks, pages and credits. */
  grantUse(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'PutItem', 'UpdateItem']);
  }
}

/** The table of stock providers' answers, breakers and budgets, which may be lost. */
export class Cache {
  readonly table: ContractTable<'cache'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'CacheTable', 'cache', stage);
  }

  /** To store what is made after a request was answered. */
  grantStore(fn: NodeFunction): void {
    this.table.allow(fn, ['PutItem']);
  }

  /** To read, lease and store answers, and to count requests to providers. */
  grantUse(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'PutItem', 'UpdateItem']);
  }
}

/**
 * Deletion protection of the tables, switched on at the end of a deployment: a table that is protected from its creation
 * on would be in the way when a first deployment fails and is rolled back.
 */
export class ProtectedTables extends Construct {
  /** @param after what has to be deployed before */
  constructor(scope: Construct, stage: Stage, tables: readonly TableV2[], after: readonly IDependable[]) {
    super(scope, 'ProtectedTables');
    const protector = new NodeFunction(this, 'TableProtector', {
      stage,
      entry: 'lib/deploy-time/protect-tables/main.ts',
      description: 'Switches the deletion protection of the tables at the end of a deployment',
      memoryMb: 256,
      timeoutS: deployTimeoutsS.protectTables.function,
    });
    Grant.addToPrincipal({
      grantee: protector,
      actions: ['dynamodb:DescribeTable', 'dynamodb:UpdateTable'],
      resourceArns: tables.map(({ tableArn }) => tableArn),
    });
    const protection = new CustomResource(this, 'Protection', {
      resourceType: 'Custom::TableProtection',
      serviceToken: protector.functionArn,
      serviceTimeout: Duration.seconds(deployTimeoutsS.protectTables.service),
      properties: {
        TableNames: tables.map(({ tableName }) => tableName),
        Protected: String(stage.keepsData),
      },
    });
    pinLogicalId(protection, 'TableProtection');
    protection.node.addDependency(protector, ...after);
  }
}
