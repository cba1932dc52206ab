/** `image-redirect library`: the operator's own photographs. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { curationSeenMs } from '../../lambda/stock/curation';
import type { Photo } from '../../lambda/stock/library/photo';
import { createCommand } from '../command';
import { exitCodes, failed, notFound } from '../failure';
import { accountOf } from '../keys/find-keys';
import { group, type Session, withSession, yesOption } from '../keys/session';
import { countOf, table } from '../output';
import type { OpenPhotos } from './open-photos';
import type { RefusedFile } from './read-folder';

interface OwnerOption {
  readonly account?: string;
}

/** The commands `library add`, `list`, `remove` and `export`. */
export const library = (): Command =>
  group(
    createCommand('library', {
      summary: 'Show photographs of your own: add, list, remove or export them.',
      details:
        'They are found by the title, description and keywords of their IPTC or XMP, or of library.csv beside them.',
      examples: [
        'library add ./photos',
        'library add ./photos --account acc_0123456789abcdef01',
        'library list --json',
        'library remove 0123456789abcdef0123 --yes',
        'library export ./backup',
      ],
    }),
    [add(), list(), remove(), exportAll()],
  );

const withOwner = (command: Command) =>
  command.option('--account <ID>', 'photographs that this account alone may show (default: everybody)');

/** Does a command's work with the photographs of an owner. @throws `Failure`, also for an unknown account */
function withPhotos(
  command: Command,
  work: (photos: OpenPhotos, account: string | null, session: Session) => Promise<void>,
): Promise<void> {
  return withSession(command, async (session) => {
    const { account } = command.opts<OwnerOption>();
    if (account !== undefined) await accountOf(session.keys, account);
    const { openPhotos } = await import('./open-photos');
    const { client, tables, openLibrary, lacks } = session.service;
    if (tables.stockMemory === undefined) throw lacks('image library');
    await work(openPhotos(client, tables.stockMemory, openLibrary()), account ?? null, session);
  });
}

const add = () =>
  withOwner(
    createCommand('add', {
      summary:
        'Add the photographs of a folder and its subfolders. What is known already is not added again.',
      examples: ['library add ./photos', 'library add ./photos --account acc_0123456789abcdef01 --json'],
    }),
  )
    .argument('<FOLDER>', 'JPEG, PNG, WebP and AVIF files, each with words and rights')
    .action((folder: string, _, command: Command) =>
      withPhotos(command, async ({ photos }, account, { output, changeLog }) => {
        const { readFolder } = await import('./read-folder');
        const refused: RefusedFile[] = [];
        const { added, known } = await photos.add(readFolder(folder, refused), account);
        if (added > 0)
          await changeLog.record({ action: 'library.added', ...(account && { account }), added });
        await shown();
        output.result({ added, known, refused }, (columns) =>
          [
            `Added ${photographs(added)}; ${known} known already, ${refused.length} refused.`,
            ...(refused.length > 0
              ? [
                  table(
                    ['File', 'Refused because'],
                    refused.map(({ file, reason }) => [file, reason]),
                    columns,
                  ),
                ]
              : []),
          ].join('\n\n'),
        );
        if (refused.length > 0) process.exitCode = exitCodes.failed;
      }),
    );

/** What is listed of a photograph with `--json`. */
const listedFields = [
  ...(['id', 'file', 'title', 'keywords', 'creator', 'copyright'] as const),
  ...(['width', 'height', 'account', 'addedAt'] as const),
];

const list = () =>
  withOwner(
    createCommand('list', {
      summary: 'List the photographs.',
      examples: ['library list', 'library list --json'],
    }),
  ).action((_, command: Command) =>
    withPhotos(command, async ({ photos }, account, session) => {
      const listed = await photosOf(photos, account, session);
      const images = listed.map((photo) =>
        Object.fromEntries(listedFields.map((name) => [name, photo[name] ?? null])),
      );
      session.output.result({ images }, (columns) =>
        listed.length === 0
          ? 'There are no photographs.'
          : table(
              ['Id', 'File', 'Title', 'Size', 'Account', 'Added'],
              listed.map(({ id, file, title, width, height, account, addedAt }) => [
                id,
                file,
                title ?? '',
                `${width} × ${height}`,
                account ?? 'everybody',
                addedAt.slice(0, 10),
              ]),
              columns,
            ),
      );
    }),
  );

const remove = () =>
  createCommand('remove', {
    summary: 'Remove photographs. Pages that show them show others from then on.',
    examples: ['library remove 0123456789abcdef0123', 'library remove 0123456789abcdef0123 --yes'],
  })
    .argument('<ID...>', 'ids as "library list" shows them')
    .addOption(yesOption())
    .action((ids: string[], _, command: Command) =>
      withPhotos(command, async ({ photos }, _account, session) => {
        const all = await photosOf(photos, null, session);
        const byId = new Map(all.map((photo) => [photo.id, photo]));
        const unknown = ids.find((id) => !byId.has(id));
        if (unknown !== undefined)
          throw notFound(`There is no photograph ${unknown}. "library list" shows all of them.`);
        await session.confirm(`${photographs(ids.length)} will be deleted.`);
        const owners = new Set(ids.map((id) => byId.get(id)?.account ?? null));
        const removed: Photo[] = [];
        for (const owner of owners) {
          const its = await photos.remove(ids, owner);
          removed.push(...its);
          const entry = { ...(owner && { account: owner }), ids: its.map(({ id }) => id) };
          await session.changeLog.record({ action: 'library.removed', ...entry });
        }
        await shown();
        session.output.result(
          { removed: removed.map(({ id }) => id) },
          () => `Removed ${photographs(removed.length)}.`,
        );
      }),
    );

const exportAll = () =>
  withOwner(
    createCommand('export', {
      summary: 'Write the photographs and library.csv into a folder, as "library add" takes them.',
      examples: ['library export ./backup'],
    }),
  )
    .argument('<FOLDER>', 'made where there is none')
    .action((folder: string, _, command: Command) =>
      withPhotos(command, async ({ photos, library: stored }, account, session) => {
        const [{ stringify }, { tableColumns, tableName }] = await Promise.all([
          import('csv-stringify/sync'),
          import('./read-folder'),
        ]);
        const root = resolve(folder);
        const images = await photosOf(photos, account, session);
        const files = new Set<string>();
        const rows: Record<string, string>[] = [];
        for (const { id, path, keywords, ...photo } of images) {
          // Two folders may have had a file of the same name.
          const file = files.has(photo.file) ? `${id}/${photo.file}` : photo.file;
          files.add(file);
          const target = resolve(root, ...file.split('/'));
          if (!target.startsWith(`${root}${sep}`)) throw failed(`${photo.file} leads out of ${folder}.`);
          const image = await stored.get(path);
          if (!image) throw failed(`The file of photograph ${id} is missing.`);
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, image.bytes);
          const { width: _w, height: _h, account: _a, addedAt: _at, stems: _s, ...texts } = photo;
          rows.push({ ...texts, file, keywords: keywords.join(';') });
        }
        await mkdir(root, { recursive: true });
        const columns = tableColumns.map((key) => ({ key, header: key }));
        await writeFile(resolve(root, tableName), stringify(rows, { header: true, columns }));
        session.output.result(
          { exported: images.length, folder: root },
          () => `Wrote ${photographs(images.length)} and ${tableName} to ${root}.`,
        );
      }),
    );

/** The photographs of an account, or all of them: everybody's and those of each account. */
export async function photosOf(
  photos: OpenPhotos['photos'],
  account: string | null,
  { keys }: Session,
): Promise<readonly Photo[]> {
  if (account !== null) return photos.list(account);
  const accounts = new Set<string>();
  for await (const key of keys.all()) accounts.add(key.account);
  const lists = [];
  for (const owner of [null, ...accounts]) lists.push(await photos.list(owner));
  return lists.flat();
}

/** Every instance of the service has seen a change after this. */
const shown = () => setTimeout(curationSeenMs);

const photographs = (count: number) => countOf(count, 'photograph');
