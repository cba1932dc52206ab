/**
 * Deletion protection of the tables, switched on at the end of a deployment: a table that is protected from its creation
 * on would be in the way when a first deployment fails and is rolled back.
 */

import { CustomResource, Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct, type IDependable } from 'constructs';
import { deployTimeoutsS } from '../../lambda/contract/timeouts';
import { NodeFunction } from '../functions/node-function';
import { pinLogicalId } from '../logical-ids';
import type { Stage } from '../stage';

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
