/** Walks through the pages of a query or a scan. */

import { call, type Database, retryIdempotent } from './call';
import type { Command } from './commands';
import type { Item } from './conditional-write';

type Start = Record<string, unknown> | undefined;

interface Page {
  readonly Items?: readonly Item[] | undefined;
  readonly LastEvaluatedKey?: Start | undefined;
}

/**
 * All items, page by page as they are asked for.
 * @param commandFrom the query or scan that begins after a key, with the first page after none
 * @throws when a page is not answered after the last attempt
 */
export async function* itemsOf(
  db: Database,
  commandFrom: (ExclusiveStartKey: Start) => Command<Page>,
): AsyncIterable<Item> {
  let start: Start;
  do {
    const page: Page = await call(db, commandFrom(start), retryIdempotent);
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start);
}
