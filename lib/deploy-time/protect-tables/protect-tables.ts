/** The custom resource behind deletion protection: switched on once everything is deployed, off where no data is kept. */

import type { Work } from '../custom-resource';

/** Deletion protection of DynamoDB tables, by their names. */
export interface Tables {
  isProtected(tableName: string): Promise<boolean>;
  protect(tableName: string, isProtected: boolean): Promise<void>;
}

/** Deleting does nothing: tables that outlive their stack stay as they are. */
export function protectTables(tables: Tables): Work {
  return async ({ RequestType, ResourceProperties }) => {
    if (RequestType === 'Delete') return {};
    const wanted = ResourceProperties['Protected'] === 'true';
    for (const name of ResourceProperties['TableNames'] as readonly string[])
      if ((await tables.isProtected(name)) !== wanted) await tables.protect(name, wanted);
    return {};
  };
}
