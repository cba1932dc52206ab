/** Runs the contract of the charges in memory and on DynamoDB. */

import { describeCharges } from '../../contracts/charges';
import { engines } from '../../contracts/tables-under-test';

jest.setTimeout(30_000);

for (const [name, start] of engines) describeCharges(name, start);
