/** Runs the contract of the waiting places in memory and on DynamoDB. */

import { engines } from '../../contracts/tables-under-test';
import { describeWaitingPlaces } from '../../contracts/waiting-places';

jest.setTimeout(30_000);

for (const [name, start] of engines) describeWaitingPlaces(name, start);
