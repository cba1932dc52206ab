/** Reads and writes of items with retries: one conditional write, one consistent read, all pages of a query or a scan. */

import { call, type Database, failureOf, retryIdempotent } from './call';
import { type Command, GetCommand, UpdateCommand, type UpdateCommandInput } from './commands';

/** An item by attribute name, in plain JavaScript values. */
export type Item = Readonly<Record<string, unknown>>;

/** What became of a conditional write. */
export type WriteResult =
  | { readonly applied: true; readonly attributes: Item }
  /** `item` is the item as it is stored; `undefined` when there is none. */
  | { readonly applied: false; readonly item: Item | undefined };

/**
 * Sends an update whose condition makes it safe to send again, and sends it again after a lost answer.
 * Where its condition fails, the failure brings the item; from an engine that leaves it out (dynalite does) it is read.
 * @throws when the outcome is still unknown after the last attempt
 */
export async function writeIf(db: Database, update: UpdateCommandInput): Promise<WriteResult> {
  try {
    const output = await call(
      db,
      new UpdateCommand({
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ...update,
      }),
      retryIdempotent,
    );
    return { applied: true, attributes: output.Attributes ?? {} };
  } catch (error) {
    if (failureOf(error) !== 'refused') throw error;
    const { Item } = error as { readonly Item?: Item };
    return { applied: false, item: Item ?? (await readItem(db, update.TableName, update.Key)) };
  }
}

/** As `writeIf`; `undefined` where the table throttled the write, which then was not applied. */
export async function writeUnlessThrottled(
  db: Database,
  update: UpdateCommandInput,
): Promise<WriteResult | undefined> {
  try {
    return await writeIf(db, update);
  } catch (error) {
    if (failureOf(error) === 'throttled') return undefined;
    throw error;
  }
}

/** One strongly consistent read. */
export async function readItem(
  db: Database,
  TableName: string | undefined,
  Key: UpdateCommandInput['Key'],
): Promise<Item | undefined> {
  const command = new GetCommand({ TableName, Key, ConsistentRead: true });
  return (await call(db, command, retryIdempotent)).Item;
}

interface Page {
  readonly Items?: readonly Item[] | undefined;
  readonly LastEvaluatedKey?: Item | undefined;
}

/**
 * All items; each page is read when the one before it is used up.
 * @param first the query or scan of the first page
 * @throws when a page is not answered after the last attempt
 */
export async function* itemsOf(db: Database, first: Command<Page>): AsyncIterable<Item> {
  let command: Command<Page> | undefined = first;
  while (command) {
    const { Items = [], LastEvaluatedKey: ExclusiveStartKey }: Page = await call(
      db,
      command,
      retryIdempotent,
    );
    yield* Items;
    command = ExclusiveStartKey && { ...first, input: { ...first.input, ExclusiveStartKey } };
  }
}
