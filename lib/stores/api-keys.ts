/** The table of issued API keys. */

import type { Construct } from 'constructs';
import type { NodeFunction } from '../functions/node-function';
import type { Stage } from '../stage';
import { ContractTable } from './contract-table';

export class ApiKeys {
  readonly table: ContractTable<'apiKeys'>;

  constructor(scope: Construct, stage: Stage) {
    this.table = new ContractTable(scope, 'ApiKeysTable', 'apiKeys', stage);
  }

  get tableName(): string {
    return this.table.tableName;
  }

  /** To look one key up by its hash. */
  grantFind(fn: NodeFunction): void {
    this.table.allow(fn, ['GetItem']);
  }

  /** To list the keys of an account. */
  grantList(fn: NodeFunction): void {
    this.table.allowOnIndexes(fn, ['Query']);
  }
}
