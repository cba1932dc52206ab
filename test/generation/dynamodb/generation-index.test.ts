/** Runs the contract of the generation index in memory and on DynamoDB. */

import { describeGenerationIndex } from '../../contracts/generation-index';
import { engines } from '../../contracts/tables-under-test';

jest.setTimeout(30_000);

for (const [name, start] of engines) describeGenerationIndex(name, start);
