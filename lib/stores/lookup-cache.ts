/** The table of stock providers' answers. */

import type { Construct } from 'constructs';
import type { NodeFunction } from '../functions/node-function';
import type { Stage } from '../stage';
import { ContractTable } from './contract-table';

export class LookupCache {
  readonly table: ContractTable<'lookupCache'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'LookupCacheTable', 'lookupCache', stage);
  }

  get tableName(): string {
    return this.table.tableName;
  }

  /** To store what is made after a request was answered. */
  grantStore(fn: NodeFunction): void {
    this.table.allow(fn, ['PutItem']);
  }

  /** To read, lease and store answers. */
  grantUse(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'PutItem', 'UpdateItem']);
  }
}
