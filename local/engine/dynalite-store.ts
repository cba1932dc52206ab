/** Starts dynalite and holds on to its store, so that calls of this process need no connection to it. */

import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import dynalite from 'dynalite';

const load = createRequire(__filename);

type Done<T> = (error: unknown, value?: T) => void;

/** Description of a table, as the engine stores it. */
export interface Table {
  readonly TableStatus: string;
  readonly AttributeDefinitions?: unknown;
  readonly GlobalSecondaryIndexes?: readonly Index[];
}

/** Description of an index, as the engine stores it. */
export interface Index {
  readonly IndexName: string;
  readonly IndexStatus: string;
}

/** The part of dynalite's store that is used here; its actions take it as it is. */
export interface Store {
  getTable(name: string, checkStatus: boolean | Done<Table>, done?: Done<Table>): void;
  readonly tableDb: {
    put(name: string, table: Table, done: Done<void>): void;
    del(name: string, done: Done<void>): void;
  };
}

interface Stores {
  create(options: object): Store;
}

export interface Dynalite {
  readonly server: Server;
  readonly store: Store;
}

/** @param folder where the data is kept; absent for none */
export function startDynalite(folder: string | undefined): Dynalite {
  const stores = load('dynalite/db') as Stores;
  const { create } = stores;
  let store: Store | undefined;
  stores.create = (options) => {
    store = create(options);
    return store;
  };
  try {
    const options = { createTableMs: 0, deleteTableMs: 0, ...(folder === undefined ? {} : { path: folder }) };
    const server = dynalite(options);
    if (!store) throw new Error('dynalite has made no store');
    rememberTables(store);
    return { server, store };
  } finally {
    stores.create = create;
  }
}

/** Reads the description of an active table once, and again after it was written: every call needs it. */
function rememberTables(store: Store): void {
  const { tableDb } = store;
  const read = store.getTable;
  const known = new Map<string, Table>();
  let writes = 0;
  const forget = <T>(name: string, done: Done<T>): Done<T> => {
    known.delete(name);
    writes += 1;
    return (...outcome) => {
      known.delete(name);
      writes += 1;
      done(...outcome);
    };
  };
  const put = tableDb.put.bind(tableDb);
  const del = tableDb.del.bind(tableDb);
  tableDb.put = (name, table, done) => put(name, table, forget(name, done));
  tableDb.del = (name, done) => del(name, forget(name, done));
  store.getTable = (name, checkStatus, done) => {
    const answer = (typeof checkStatus === 'function' ? checkStatus : done) as Done<Table>;
    const table = known.get(name);
    if (table) return answer(null, table);
    const writesBefore = writes;
    read(name, typeof checkStatus === 'function' ? false : checkStatus, (error, found) => {
      if (!error && found?.TableStatus === 'ACTIVE' && writes === writesBefore) known.set(name, found);
      answer(error, found);
    });
  };
}
