/** Restores the table of quota counters to a point in time, as the recovery says, and prints which table takes its place. */

import {
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';

const logicalId = 'QuotaCountersTable';

/** Longest wait for the new table, in seconds. */
const maxWaitTime = 60;

/** The second argument is JSON: logical id → identifier of what was kept, as `kept-resources` prints it. */
async function main([, keptText = '{}']: readonly string[]): Promise<void> {
  const kept = JSON.parse(keptText) as Readonly<Record<string, { readonly TableName?: string }>>;
  const SourceTableName = kept[logicalId]?.TableName;
  if (SourceTableName === undefined) throw new Error(`${logicalId} was not kept.`);
  const TableName = `${SourceTableName}-restored`;
  const client = new DynamoDBClient();
  await client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName,
      TargetTableName: TableName,
      UseLatestRestorableTime: true,
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime }, { TableName });
  // Neither comes with a restored table.
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName,
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
    }),
  );
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
  console.log(JSON.stringify({ [logicalId]: { TableName } }));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
