/** Credit lines by the stable id of an image, for pages that are finished after their images were found. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { StockMemory } from '../base/item-store';
import type { Telemetry } from '../base/telemetry';
import { pageKeptMs } from '../contract/batch';
import type { ServedImage } from '../images/image';
import type { Attribution } from '../images/record';

export interface Credits {
  /** Remembers whose an image is. Never throws. */
  note(image: ServedImage): Promise<void>;
  /** @throws when the table fails. */
  find(pick: string): Promise<Attribution | undefined>;
}

export interface CreditsDeps {
  readonly stockMemory: Pick<StockMemory, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Pick<Telemetry, 'error'>;
}

/** An image that is shown again is written again after a day only, in milliseconds. */
const notedForMs = 86_400_000;
const notedMax = 2_000;

export function createCredits({ stockMemory, clock, telemetry }: CreditsDeps): Credits {
  const noted = createExpiringCache<true>(notedMax);
  const keyOf = (pick: string) => `CREDIT#${pick}`;
  return {
    async note({ pick, attribution }) {
      const nowMs = clock.nowMs();
      if (pick === undefined || noted.get(pick, nowMs)) return;
      noted.set(pick, true, nowMs + notedForMs);
      const endsMs = nowMs + pageKeptMs;
      try {
        await stockMemory.write(keyOf(pick), {
          value: attribution,
          freshUntilMs: endsMs,
          staleUntilMs: endsMs,
        });
      } catch (error) {
        noted.delete(pick);
        telemetry.error('A credit was not stored', error);
      }
    },
    async find(pick) {
      return (await stockMemory.read<Attribution>(keyOf(pick)))?.value;
    },
  };
}
