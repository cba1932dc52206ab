/** `image-redirect library`: the operator's own photographs. */

import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { systemClock } from '../../lambda/base/system';
import { addPhotos, listPhotos } from '../../lambda/stock/library/manage-photos';
import { libraryReadForMs } from '../../lambda/stock/library/photo-index';
import { createCommand } from '../command';
import { exitCodes, notFound } from '../failure';
import { openImages } from '../images/open-images';
import { group, withSession, yesOption } from '../keys/session';
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

const add = () =>
  createCommand('add', {
    summary: 'Add the photographs of a folder and its subfolders. What is known already is not added again.',
    examples: ['library add ./photos', 'library add ./photos --json'],
  })
    .argument('<FOLDER>', 'JPEG, PNG, WebP and AVIF files, each with words and rights')
    .action((folder: string, _, command: Command) =>
      withSession(command, async (session) => {
        const { output } = session;
        const services = await openImages(session);
        const { readFolder } = await import('./read-folder');
        const refused: RefusedFile[] = [];
        const { added, known } = await addPhotos(services, readFolder(folder, refused));
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
    withSession(command, async (session) => {
      const listed = await listPhotos(await openImages(session));
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
      withSession(command, async (session) => {
        const services = await openImages(session);
        const known = new Set((await listPhotos(services)).map(({ id }) => id));
        const unknown = ids.find((id) => !known.has(id));
        if (unknown !== undefined)
          throw notFound(`There is no photograph ${unknown}. "library list" shows all of them.`);
        await session.confirm(`${photographs(ids.length)} will be deleted.`);
        const { photoImage, takeDown } = await import('../images/take-down');
        const by = await session.service.readPrincipal();
        for (const id of ids) {
          const at = new Date(systemClock.nowMs()).toISOString();
          const removal = { id, at, by, reason: 'library remove' };
          await takeDown(services, photoImage('library', id), removal);
        }
        session.output.result({ removed: ids }, () => `Removed ${photographs(ids.length)}.`);
      }),
    );

/** Every instance of the service has seen a change after this. */
const shown = () => setTimeout(libraryReadForMs);

const photographs = (count: number) => countOf(count, 'photograph');
