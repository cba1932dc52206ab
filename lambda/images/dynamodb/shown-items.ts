/** The items of the images that accounts have shown: how one is written, and how those of an account are listed. */

import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import { QueryCommand, UpdateCommand, type UpdateCommandInput } from '../../aws/dynamodb/commands';
import { parseJson } from '../../base/parse-json';
import { pickKeptMs } from '../../contract/providers';
import type { IndexName } from '../../contract/tables';
import type { ServedImage } from '../image';
import type { PickedImages } from '../picked-images';
import { type ReadShownImages, type ShownImage, shownKey } from '../shown-images';

/** Images in one answer. */
const imagesMax = 100;
/** How long the expiry of an item is left as it is, in milliseconds. */
const renewedAfterMs = 30 * 86_400_000;

/** What is new to the item of an account and an image. */
interface Shown {
  readonly account: string;
  /** The attribution as JSON. */
  readonly credit: string;
  readonly image: ServedImage;
  readonly nowMs: number;
  readonly page?: string | undefined;
  readonly loadPicked: LoadPicked;
}

/** Loads what stores an AI image under its pick. */
export type LoadPicked = () => Promise<{ readonly pickedImages: Pick<PickedImages, 'noteAi'> }>;

/** Keeps the first moment and the pages that the item holds. @throws when the table fails */
export async function writeShownImage(
  db: Database,
  at: Pick<UpdateCommandInput, 'TableName' | 'Key'>,
  { account, credit, image, nowMs, page, loadPicked }: Shown,
): Promise<void> {
  const command = new UpdateCommand({
    ...at,
    UpdateExpression: `SET shownBy = :account, shownAt = if_not_exists(shownAt, :now), credit = :credit, #at = :at, #ttl = :ttl${page === undefined ? '' : ' ADD pages :pages'}`,
    ExpressionAttributeNames: { '#ttl': 'ttl', '#at': 'location' },
    ExpressionAttributeValues: {
      ':account': account,
      ':now': new Date(nowMs).toISOString(),
      ':credit': credit,
      // What signs it ends within hours.
      ':at': image.location.replace(/[?&]Expires=.*/, ''),
      ':ttl': Math.ceil((nowMs + pickKeptMs + renewedAfterMs) / 1_000),
      ...(page !== undefined && { ':pages': new Set([page]) }),
    },
  });
  const { pickedImages } = image.imageId === undefined ? {} : await loadPicked();
  await Promise.all([pickedImages?.noteAi(image), call(db, command, retryIdempotent)]);
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

function shownIn({ pk, shownAt, credit, location, pages }: Readonly<Record<string, unknown>>): ShownImage {
  return {
    pick: String(pk).split('#').at(-1) ?? '',
    attribution: JSON.parse(String(credit)),
    ...(typeof location === 'string' && { location }),
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
  const isOwn = shownBy === account && typeof pk === 'string' && pk.startsWith(shownKey(account, ''));
  if (!isOwn || typeof shownAt !== 'string') throw new RangeError('This is no cursor of the account.');
  return { pk, shownBy, shownAt };
}
