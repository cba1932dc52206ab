/** `image-redirect library`: the operator's own photographs. */

import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ManagePhotos } from '../../lambda/stock/library/manage-photos';
import { operatorImagesSeenMs } from '../../lambda/stock/operator-images';
import { createCommand } from '../command';
import { exitCodes, notFound } from '../failure';
import { group, type Session, withSession, yesOption } from '../keys/session';
import { countOf, table } from '../output';
import type { RefusedFile } from './read-folder';

/** The commands `library add`, `list` and `remove`. */
export const library = (): Command =>
  group(
    createCommand('library', {
      summary: 'Show photographs of your own at a slot that is bound to library: add, list or remove them.',
      details:
        'They are found by the title, description and keywords of their IPTC or XMP, or of library.csv beside them.',
      examples: ['library add ./photos', 'library list --json', 'library remove 0123456789abcdef0123 --yes'],
    }),
    [add(), list(), remove()],
  );

/** Does a command's work with the photographs. @throws `Failure` */
function withPhotos(
  command: Command,
  work: (photos: ManagePhotos, session: Session) => Promise<void>,
): Promise<void> {
  return withSession(command, async (session) => {
    const { openPhotos } = await import('./open-photos');
    const { client, tables, openLibrary, lacks } = session.service;
    if (tables.images === undefined) throw lacks('image library');
    const { photos } = openPhotos(client, tables.images, openLibrary());
    await work(photos, session);
  });
}

const add = () =>
  createCommand('add', {
    summary: 'Add the photographs of a folder and its subfolders. What is known already is not added again.',
    examples: ['library add ./photos', 'library add ./photos --json'],
  })
    .argument('<FOLDER>', 'JPEG, PNG, WebP and AVIF files, each with words and rights')
    .action((folder: string, _, command: Command) =>
      withPhotos(command, async (photos, { output }) => {
        const { readFolder } = await import('./read-folder');
        const refused: RefusedFile[] = [];
        const { added, known } = await photos.add(readFolder(folder, refused));
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
  ...(['width', 'height', 'addedAt'] as const),
];

const list = () =>
  createCommand('list', {
    summary: 'List the photographs.',
    examples: ['library list', 'library list --json'],
  }).action((_, command: Command) =>
    withPhotos(command, async (photos, session) => {
      const listed = await photos.list();
      const images = listed.map((photo) =>
        Object.fromEntries(listedFields.map((name) => [name, photo[name] ?? null])),
      );
      session.output.result({ images }, (columns) =>
        listed.length === 0
          ? 'There are no photographs.'
          : table(
              ['Id', 'File', 'Title', 'Size', 'Added'],
              listed.map(({ id, file, title, width, height, addedAt }) => [
                id,
                file,
                title ?? '',
                `${width} × ${height}`,
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
      withPhotos(command, async (photos, session) => {
        const known = new Set((await photos.list()).map(({ id }) => id));
        const unknown = ids.find((id) => !known.has(id));
        if (unknown !== undefined)
          throw notFound(`There is no photograph ${unknown}. "library list" shows all of them.`);
        await session.confirm(`${photographs(ids.length)} will be deleted.`);
        const removed = (await photos.remove(ids)).map(({ id }) => id);
        await shown();
        session.output.result({ removed }, () => `Removed ${photographs(removed.length)}.`);
      }),
    );

/** Every instance of the service has seen a change after this. */
const shown = () => setTimeout(operatorImagesSeenMs);

const photographs = (count: number) => countOf(count, 'photograph');
