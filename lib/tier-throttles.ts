/** Requests a second that API Gateway admits of each tier, as the stage's plans have it. */

import { type Tier, tierPerSecond } from '../lambda/contract/plans';
import type { StageSettings } from './stage-settings';

/** Of all callers of the tier together. */
export function perSecondOf(tier: Tier, plans: StageSettings['plans']): number {
  const plan = tier === 'anonymous' || tier === 'test' ? undefined : plans[tier];
  return plan?.perSecond ?? tierPerSecond[tier];
}
