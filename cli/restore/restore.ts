/** `image-redirect restore`: brings the items of an earlier moment back into a table that goes on to serve. */

import { type Command, Option } from 'commander';
import type { TableName } from '../../lambda/contract/tables';
import { createCommand } from '../command';
import { wrongUsage } from '../failure';
import { withKeysOptions, withSession, yesOption } from '../keys/session';
import { requestHandler } from '../service';
import { copyBack, restorable } from './copy-back';

/** How far back point-in-time recovery reaches, in milliseconds. */
const recoverableMs = 35 * 24 * 3_600_000;
/** Longest wait for the restored copy, in seconds: a table of some GB takes hours. */
const copyWaitMaxS = 24 * 3_600;

interface RestoreOptions {
  readonly stack?: string;
  readonly table: TableName;
  readonly at: string;
  readonly replace?: boolean;
}

/** `image-redirect restore`: copies the items of a restored table back into the live one. */
export function restore(): Command {
  const command = createCommand('restore', {
    summary: 'Bring the items of an earlier moment back into a table of a stack, which goes on to serve.',
    details:
      'Point-in-time recovery makes a copy of the table, whose items are put where the table has none now, and the copy is deleted. No lease, reservation or limit of an hour or day returns. If it is interrupted, the same command goes on.',
    examples: [
      'restore --table stockMemory --at 2026-11-21T12:00:00Z --replace --stack ImageRedirect-prod',
      'restore --table apiKeys --at 2026-11-21T12:00:00Z --stack ImageRedirect-prod --json',
    ],
  })
    .addOption(new Option('--table <NAME>', 'the table').choices(restorable).makeOptionMandatory())
    .requiredOption('--at <TIME>', 'the moment in UTC, within the last 35 days', readMoment)
    .option('--replace', 'with stockMemory: also put picks and pages in the place of what is there now')
    .addOption(yesOption())
    .action(bringBack);
  return withKeysOptions(command);
}

function readMoment(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && Number.isFinite(Date.parse(text))) return text;
  throw wrongUsage(`--at takes a moment such as 2026-11-21T12:00:00Z, not "${text}".`);
}

async function bringBack(
  { table, at, replace = false, stack }: RestoreOptions,
  command: Command,
): Promise<void> {
  if (stack === undefined) throw wrongUsage('restore takes the tables of a stack: pass --stack NAME.');
  if (replace && table !== 'stockMemory') throw wrongUsage('--replace goes with --table stockMemory.');
  const ageMs = Date.now() - Date.parse(at);
  if (ageMs < 0 || ageMs > recoverableMs)
    throw wrongUsage(`--at takes a moment within the last 35 days, not "${at}".`);
  await withSession(command, async ({ service, output, changeLog, confirm, nowMs }) => {
    const { [table]: to } = service.tables;
    if (to === undefined) throw service.lacks(`table ${table}`);
    if (replace) await confirm(`Pages show the images of ${at} again, and what they show now is forgotten.`);
    const { put, left } = await withCopy(to, at, (from) =>
      copyBack(service.client, { table, from, to, replace }, nowMs()),
    );
    await changeLog.record({ action: 'table.restored', id: to, moment: at, put });
    output.result({ put, left }, () => `${put} items are back; ${left} were left as they are now.`);
  });
}

/** Does the work with a copy of the table as it was at a moment, and deletes the copy where it has succeeded. */
async function withCopy<Result>(
  SourceTableName: string,
  at: string,
  work: (copy: string) => Promise<Result>,
): Promise<Result> {
  const sdk = await import('@aws-sdk/client-dynamodb');
  const client = new sdk.DynamoDBClient({ requestHandler });
  const TableName = `${SourceTableName}-at-${at.replace(/\D/g, '')}`;
  const start = new sdk.RestoreTableToPointInTimeCommand({
    SourceTableName,
    TargetTableName: TableName,
    RestoreDateTime: new Date(at),
    GlobalSecondaryIndexOverride: [],
  });
  try {
    await client.send(start).catch((error: Error) => {
      // An interrupted command has made it.
      if (!/^(TableAlreadyExistsException|ResourceInUseException)$/.test(error.name)) throw error;
    });
    await sdk.waitUntilTableExists({ client, maxWaitTime: copyWaitMaxS }, { TableName });
    const result = await work(TableName);
    await client.send(new sdk.DeleteTableCommand({ TableName }));
    return result;
  } finally {
    client.destroy();
  }
}
