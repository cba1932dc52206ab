/** The places of waiting requests in DynamoDB: one item with an attribute for each place, written under a condition. */

import type { Item } from '../../aws/dynamodb';
import type { Database } from '../../aws/dynamodb/call';
import { writeIf } from '../../aws/dynamodb/items';
import type { WaitingPlace, WaitingPlaces } from '../admit-waiting';

const pk = 'W#waiting';

/** How long the item is kept after its last use, in seconds. */
const keptForS = 3_600;

/** Attempts to find a place: each one that another request took meanwhile costs one. */
const attemptsMax = 3;

const nameOf = (place: number) => `p${place}`;
/** Compared as text: moments of 13 digits, so that a place is free when its text is smaller than the present moment's. */
const textOf = (momentMs: number, id = '') => `${String(Math.trunc(momentMs)).padStart(13, '0')}#${id}`;

/** @param pick a whole number from 0 to below the given one, at random: requests that come together try different places */
export function createWaitingPlaces(
  db: Database,
  TableName: string,
  pick: (below: number) => number,
): WaitingPlaces {
  return {
    async take(placesMax, id, nowMs, endsMs) {
      const holder = textOf(endsMs, id);
      let free = Array.from({ length: placesMax }, (_, place) => place);
      for (let attempt = 0; attempt < attemptsMax && free.length > 0; attempt++) {
        const number = free[pick(free.length)] as number;
        const written = await writeIf(db, {
          TableName,
          Key: { pk },
          UpdateExpression: 'SET #place = :holder, #ttl = :ttl',
          // Its own text: an answer was lost, and this is the second copy of the write.
          ConditionExpression: 'attribute_not_exists(#place) OR #place < :now OR #place = :holder',
          ExpressionAttributeNames: { '#place': nameOf(number), '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':holder': holder,
            ':now': textOf(nowMs),
            ':ttl': Math.ceil(endsMs / 1_000) + keptForS,
          },
        });
        if (written.applied) return { number, holder };
        free = freePlaces(written.item ?? {}, placesMax, nowMs);
      }
      return undefined;
    },

    async leave({ number, holder }: WaitingPlace) {
      await writeIf(db, {
        TableName,
        Key: { pk },
        UpdateExpression: 'REMOVE #place',
        ConditionExpression: '#place = :holder',
        ExpressionAttributeNames: { '#place': nameOf(number) },
        ExpressionAttributeValues: { ':holder': holder },
      });
    },
  };
}

function freePlaces(item: Item, placesMax: number, nowMs: number): number[] {
  const isFree = (place: number) => {
    const holder = item[nameOf(place)];
    return typeof holder !== 'string' || holder < textOf(nowMs);
  };
  return Array.from({ length: placesMax }, (_, place) => place).filter(isFree);
}
