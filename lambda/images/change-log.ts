/** The log of changes in the image library: one object for each entry, which can be added and never replaced. */

import type { LogEntry, RecordChange } from '../base/change-log';
import type { Clock, Ids } from '../base/clock';
import { logPrefix } from '../contract/image-paths';
import type { ImageLibrary } from './image-library';
import { libraryPathOf } from './library-path';

/** `openLibrary` is called for each entry, as most commands write none. */
export interface ChangeLogDeps {
  readonly openLibrary: () => Pick<ImageLibrary, 'put' | 'get' | 'list'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Pick<Ids, 'hex'>;
  /** Who makes the changes. */
  readonly readPrincipal: () => Promise<string>;
}

/** Adds entries and reads them; nothing changes or removes one. */
export interface ChangeLog {
  readonly record: RecordChange;
  /** Entries since a moment (epoch, milliseconds), oldest first. @param action all of them when absent @throws as the library */
  since(ms: number, action?: LogEntry['action']): Promise<readonly LogEntry[]>;
}

/** Entries that are read at a time. */
const readAtOnce = 50;

/** How the path of an entry begins: its moment, so that paths are in the order of time. */
const beginningAt = (ms: number) => `${logPrefix}${new Date(ms).toISOString().replace(/[:.]/g, '-')}`;

/** An entry is written before the change counts as done: `record` throws as the library does. */
export function createChangeLog({ openLibrary, clock, ids, readPrincipal }: ChangeLogDeps): ChangeLog {
  return {
    async record(change) {
      const principal = await readPrincipal();
      const nowMs = clock.nowMs();
      const entry: LogEntry = { at: new Date(nowMs).toISOString(), principal, ...change };
      const path = libraryPathOf(`${beginningAt(nowMs)}_${change.action}_${ids.hex(8)}.json`);
      await openLibrary().put(path, {
        bytes: Buffer.from(JSON.stringify(entry)),
        mediaType: 'application/json',
      });
      return entry;
    },

    async since(ms, action) {
      const library = openLibrary();
      const [from, to] = [beginningAt(ms), beginningAt(clock.nowMs())];
      // What both moments begin with bounds the listing: an hour of the log is not looked for among years.
      let same = logPrefix.length;
      while (same < from.length && from[same] === to[same]) same++;
      const paths = [];
      for await (const path of library.list(from.slice(0, same)))
        if (path >= from && (action === undefined || path.includes(`_${action}_`))) paths.push(path);
      paths.sort();
      const entries: LogEntry[] = [];
      for (let i = 0; i < paths.length; i += readAtOnce)
        for (const stored of await Promise.all(paths.slice(i, i + readAtOnce).map(library.get)))
          if (stored) entries.push(JSON.parse(Buffer.from(stored.bytes).toString('utf8')));
      return entries;
    },
  };
}
