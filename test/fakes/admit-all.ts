/** Admission of waiting requests as in an account with executions enough: nothing is bounded. */

import type { AdmitWaiting } from '../../lambda/generation/admit-waiting';

export const admitAll: AdmitWaiting = async () => ({ isBounded: false, leave: async () => undefined });
