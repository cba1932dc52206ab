/** A DynamoDB table made from its definition in the contract, so that AWS and the local engine hold the same ones. */

import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { tableVariables } from '../../lambda/contract/environment';
import {
  type AttributeDefinition,
  type TableDefinition,
  type TableName,
  tables,
} from '../../lambda/contract/tables';
import type { NodeFunction } from '../functions/node-function';
import { pinLogicalId } from '../logical-ids';
import { acknowledge } from '../nag';
import { retentionOf } from '../retention';
import type { Stage } from '../stage';

const attribute = ({ name, type }: AttributeDefinition) => ({
  name,
  type: type === 'S' ? AttributeType.STRING : AttributeType.NUMBER,
});

/** Paid per request and encrypted; retained and restorable where the contract says so. The id is the logical id. */
export class ContractTable<T extends TableName> extends TableV2 {
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
