/** Wires the protection of tables to DynamoDB. */

import { DescribeTableCommand, DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { customResource } from '../custom-resource';
import { protectTables } from './protect-tables';

const client = new DynamoDBClient({ maxAttempts: 3 });

/** Called by CloudFormation at the end of each deployment. */
export const handler = customResource(
  'protected-tables',
  protectTables({
    isProtected: async (TableName) =>
      (await client.send(new DescribeTableCommand({ TableName }))).Table?.DeletionProtectionEnabled === true,
    protect: async (TableName, DeletionProtectionEnabled) => {
      await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled }));
    },
  }),
);
