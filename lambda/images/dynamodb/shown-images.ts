/** The images that accounts have shown, in the stock memory: one item for each account and image. */

import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import { QueryCommand, UpdateCommand } from '../../aws/dynamodb/commands';
import type { Clock } from '../../base/clock';
import { createExpiringCache } from '../../base/expiring-cache';
import { parseJson } from '../../base/parse-json';
import type { Telemetry } from '../../base/telemetry';
import { pickKeptMs } from '../../contract/providers';
import type { IndexName } from '../../contract/tables';
import type { ReadShownImages, ShownImage, ShownImages } from '../shown-images';

const dayMs = 86_400_000;
const notedMax = 5_000;
/** Images in one answer. */
const imagesMax = 100;

const keyOf = (account: string, pick: string) => `SHOWN#${account}#${pick}`;

/** Remembers up to `notedMax` notes of the day in memory, so that most images take no write. */
export function createShownImages(
  db: Database,
  tableName: string,
  {
    clock,
    telemetry,
  }: { readonly clock: Pick<Clock, 'nowMs'>; readonly telemetry: Pick<Telemetry, 'error'> },
): ShownImages {
  const noted = createExpiringCache<true>(notedMax);
  return {
    async note(account, { pick, attribution, fallback }, page) {
      const nowMs = clock.nowMs();
      if (pick === undefined || fallback === 'gone') return;
      const name = `${account}#${pick}#${page ?? ''}`;
      if (noted.get(name, nowMs)) return;
      noted.set(name, true, nowMs + dayMs);
      const command = new UpdateCommand({
        TableName: tableName,
        Key: { pk: keyOf(account, pick) },
        UpdateExpression: `SET shownBy = :account, shownAt = if_not_exists(shownAt, :now), credit = :credit, #ttl = :ttl${page === undefined ? '' : ' ADD pages :pages'}`,
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':account': account,
          ':now': new Date(nowMs).toISOString(),
          ':credit': JSON.stringify(attribution),
          ':ttl': Math.ceil((nowMs + pickKeptMs + dayMs) / 1_000),
          ...(page !== undefined && { ':pages': new Set([page]) }),
        },
      });
      try {
        await call(db, command, retryIdempotent);
      } catch (error) {
        noted.delete(name);
        telemetry.error('A shown image was not noted', error, { account });
      }
    },
  };
}

/** Reads by the index `byAccount`, up to `imagesMax` images an answer. */
export function createReadShownImages(db: Database, tableName: string): ReadShownImages {
  return {
    async of(account, { page, after } = {}) {
      const images: ShownImage[] = [];
      let start = after === undefined ? undefined : startIn(after, account);
      do {
        const command = new QueryCommand({
          TableName: tableName,
          IndexName: 'byAccount' satisfies IndexName<'stockMemory'>,
          KeyConditionExpression: 'shownBy = :account',
          ExpressionAttributeValues: { ':account': account, ...(page !== undefined && { ':page': page }) },
          ...(page !== undefined && { FilterExpression: 'contains(pages, :page)' }),
          ...(start && { ExclusiveStartKey: start }),
          Limit: imagesMax,
        });
        const { Items = [], LastEvaluatedKey } = await call(db, command, retryIdempotent);
        images.push(...Items.map(shownIn));
        start = LastEvaluatedKey;
      } while (start && images.length === 0);
      return { images, ...(start && { next: Buffer.from(JSON.stringify(start)).toString('base64url') }) };
    },
  };
}

function shownIn({ pk, shownAt, credit, pages }: Readonly<Record<string, unknown>>): ShownImage {
  return {
    pick: String(pk).split('#').at(-1) ?? '',
    attribution: JSON.parse(String(credit)),
    since: String(shownAt),
    pages: [...((pages as Set<string> | undefined) ?? [])].sort(),
  };
}

/** The key in a cursor, which is the account's own. */
function startIn(cursor: string, account: string): Record<string, unknown> {
  const key = parseJson(Buffer.from(cursor, 'base64url').toString('utf8')) as
    | Record<string, unknown>
    | undefined;
  const { pk, shownBy, shownAt } = key ?? {};
  const isOwn = shownBy === account && typeof pk === 'string' && pk.startsWith(keyOf(account, ''));
  if (!isOwn || typeof shownAt !== 'string') throw new RangeError('This is no cursor of the account.');
  return { pk, shownBy, shownAt };
}
