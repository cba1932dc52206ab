/** Runs the contract of the charges in memory and on DynamoDB's wire protocol. */

import { describeCharges } from '../../contracts/charges';
import { engines } from '../../contracts/tables-under-test';

for (const [name, start] of engines) describeCharges(name, start);
