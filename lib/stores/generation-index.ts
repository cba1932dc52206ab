/** The table of AI images: who is making each, and where it lies once it is made. */

import type { Construct } from 'constructs';
import type { NodeFunction } from '../functions/node-function';
import type { Stage } from '../stage';
import { ContractTable } from './contract-table';

export class GenerationIndex {
  readonly table: ContractTable<'generationIndex'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'GenerationIndexTable', 'generationIndex', stage);
  }

  /** To look up, lease and finish an image, and to find it by look or by its id. */
  grantServe(fn: NodeFunction): void {
    this.grantSettle(fn);
    this.table.allowOnIndexes(fn, ['Query']);
  }

  /** To read one image's record and change its state. */
  grantSettle(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'UpdateItem']);
  }
}
