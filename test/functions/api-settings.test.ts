/** The plans in force: the defaults with the limits that an operator has replaced. */

import { defaultPlans } from '../../lambda/contract/plans';
import { plansSetting } from '../../lambda/functions/api-settings';
import { readConfig } from '../../lambda/functions/config';

const read = (value?: object) =>
  readConfig(value ? { PLANS: JSON.stringify(value) } : {}, { PLANS: plansSetting }).PLANS;

test('single limits of a plan are replaced, and all others stay', () => {
  expect(read()).toEqual(defaultPlans);
  const free = { ...defaultPlans.free, monthlyRequests: 2_000 };
  expect(read({ free: { monthlyRequests: 2_000 } })).toEqual({ ...defaultPlans, free });
});
