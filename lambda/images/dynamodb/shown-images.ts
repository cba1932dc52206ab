/** Notes the images that accounts have shown in the stock memory: one item for each account and image. */

import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import { GetCommand } from '../../aws/dynamodb/commands';
import type { Clock } from '../../base/clock';
import { createExpiringCache } from '../../base/expiring-cache';
import { orLogged } from '../../base/or-logged';
import type { Telemetry } from '../../base/telemetry';
import { pickKeptMs } from '../../contract/providers';
import { type ShownImages, shownKey } from '../shown-images';
import type { LoadPicked } from './shown-items';

const dayMs = 86_400_000;
const notedMax = 5_000;

/**
 * What this instance has noted within a day takes no call, and what any has noted one read. An item is written, by a
 * part that is loaded then, when an image, a page or another credit is new to it, and once a month.
 */
export function createShownImages(
  db: Database,
  tableName: string,
  {
    clock,
    telemetry,
  }: { readonly clock: Pick<Clock, 'nowMs'>; readonly telemetry: Pick<Telemetry, 'error'> },
  loadPicked: LoadPicked,
): ShownImages {
  const noted = createExpiringCache<true>(notedMax);
  return {
    async note(account, image, { page, isNew } = {}) {
      const { pick, attribution, fallback } = image;
      if (pick === undefined || fallback === 'gone') return;
      const nowMs = clock.nowMs();
      const at = { TableName: tableName, Key: { pk: shownKey(account, pick) } };
      const name = `${at.Key.pk}#${page ?? ''}`;
      if (noted.get(name, nowMs)) return;
      noted.set(name, true, nowMs + dayMs);
      const isNoted = await orLogged(telemetry, 'A shown image was not noted', async () => {
        const credit = JSON.stringify(attribution);
        const { Item } = isNew ? {} : await call(db, new GetCommand(at), retryIdempotent);
        const isKnown =
          Item?.['credit'] === credit &&
          Item['ttl'] >= (nowMs + pickKeptMs) / 1_000 &&
          (page === undefined || Item['pages']?.has(page));
        const shown = { account, image, credit, nowMs, page, loadPicked };
        if (!isKnown) await (await import('./shown-items')).writeShownImage(db, at, shown);
        return true;
      });
      if (!isNoted) noted.delete(name);
    },
  };
}
