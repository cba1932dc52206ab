/** The tables of the stock images: the durable memory of what was picked, and the cache, which may be lost. */

import type { Construct } from 'constructs';
import type { NodeFunction } from '../functions/node-function';
import type { Stage } from '../stage';
import { ContractTable } from './contract-table';

/** Its logical id is that of the one table that held the cached items too, so that a deployed stack keeps its picks. */
export class StockMemory {
  readonly table: ContractTable<'stockMemory'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'LookupCacheTable', 'stockMemory', stage);
  }

  /** To read, lease and store picks, pages and credits. */
  grantUse(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'PutItem', 'UpdateItem']);
  }
}

export class Cache {
  readonly table: ContractTable<'cache'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'CacheTable', 'cache', stage);
  }

  /** To store what is made after a request was answered. */
  grantStore(fn: NodeFunction): void {
    this.table.allow(fn, ['PutItem']);
  }

  /** To read, lease and store answers, and to count requests to providers. */
  grantUse(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'PutItem', 'UpdateItem']);
  }
}
