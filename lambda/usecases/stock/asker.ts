/** On whose behalf a stock provider is asked, and whether it may be: each request that reaches one is counted, once. */

import type { ChargeRefusal } from '../../domain/problem/problem';
import type { Allowance } from '../../domain/quota/quota';
import type { UsageNote } from '../../domain/quota/usage';
import type { Meter } from '../metering/meter';
import type { BudgetUse } from './budget';

export interface Asker {
  readonly use: BudgetUse;
  /**
   * Counts the request among its caller's searches, at the first call only.
   * @returns the refusal when the hour's are used up
   * @throws when the counter cannot be reached
   */
  admit(): Promise<ChargeRefusal | undefined>;
  /** Hears which image it will be, before that is stored. */
  readonly usage?: UsageNote;
}

export function createAsker(
  meter: Pick<Meter, 'charge'>,
  searches: Allowance,
  requestId: string,
  usage?: UsageNote,
): Asker {
  let admission: Promise<ChargeRefusal | undefined> | undefined;
  const count = async () => {
    const charge = await meter.charge(searches, requestId);
    return charge.outcome === 'refused' ? charge.refusal : undefined;
  };
  const { counter } = searches;
  const isAnonymous = counter.kind === 'fair-use' && counter.owner.startsWith('ip#');
  return {
    ...(usage && { usage }),
    use: isAnonymous ? 'anonymous' : 'keyed',
    admit: () => {
      admission ??= count();
      return admission;
    },
  };
}
