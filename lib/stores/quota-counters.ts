/** The table of quota counters, hourly windows and usage. */

import type { Construct } from 'constructs';
import type { NodeFunction } from '../functions/node-function';
import type { Stage } from '../stage';
import { ContractTable } from './contract-table';

export class QuotaCounters {
  readonly table: ContractTable<'quotaCounters'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'QuotaCountersTable', 'quotaCounters', stage);
  }

  get tableName(): string {
    return this.table.tableName;
  }

  /** To charge, give back and settle: single-item reads and conditional updates. */
  grantCharge(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'UpdateItem']);
  }

  /** To find counters with unsettled units, and to settle them; to find the usage of past days, and to add it up. */
  grantSweep(fn: NodeFunction): void {
    this.grantCharge(fn);
    this.table.allow(fn, ['BatchGetItem', 'PutItem']);
    this.table.allowOnIndexes(fn, ['Scan']);
  }

  /** To read what an account used. */
  grantReport(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem', 'BatchGetItem']);
    this.table.allowOnIndexes(fn, ['Query']);
  }
}
