/** `image-redirect library`: the operator's own photographs. */

import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { addPhotos, listPhotos } from '../../lambda/stock/library/manage-photos';
import { libraryReadForMs } from '../../lambda/stock/library/photo-index';
import { exitCodes, notFound } from '../failure';
import { imagesOf } from '../images/images';
import { photoImage, takeDown } from '../images/take-down';
import { countOf, table } from '../output';
import { argument, group } from '../service-command';
import type { RefusedFile } from './read-folder';

/** What is listed of a photograph with `--json`. */
const listedFields = [
  ...(['id', 'file', 'title', 'keywords', 'creator', 'copyright'] as const),
  ...(['width', 'height', 'addedAt'] as const),
];

const photographs = (count: number) => countOf(count, 'photograph');

/** The commands `library add`, `list` and `remove`. */
export const library = (): Command =>
  group(
    'library',
    {
      summary: 'Show photographs of your own at a slot that is bound to library: add, list or remove them.',
      details:
        'They are found by the title, description and keywords of their IPTC or XMP, or of library.csv beside them.',
      examples: ['library add ./photos', 'library list --json', 'library remove 0123456789abcdef0123 --yes'],
    },
    [
      {
        name: 'add',
        summary:
          'Add the photographs of a folder and its subfolders. What is known already is not added again.',
        examples: ['library add ./photos', 'library add ./photos --json'],
        arguments: [argument('<FOLDER>', 'JPEG, PNG, WebP and AVIF files, each with words and rights')],
        async run({ service }, _, folder = '') {
          const { readFolder } = await import('./read-folder');
          const refused: RefusedFile[] = [];
          const { added, known } = await addPhotos(imagesOf(service), readFolder(folder, refused));
          // Every instance of the service has seen a change after this.
          await setTimeout(libraryReadForMs);
          const said = `Added ${photographs(added)}; ${known} known already, ${refused.length} refused.`;
          const rows = refused.map(({ file, reason }) => [file, reason]);
          const head = ['File', 'Refused because'];
          return {
            json: { added, known, refused },
            text: (columns) => (rows.length > 0 ? `${said}\n\n${table(head, rows, columns)}` : said),
            ...(refused.length > 0 && { exitCode: exitCodes.failed }),
          };
        },
      },
      {
        name: 'list',
        summary: 'List the photographs.',
        examples: ['library list', 'library list --json'],
        async run({ service }) {
          const photos = await listPhotos(imagesOf(service));
          const images = photos.map((photo) =>
            Object.fromEntries(listedFields.map((name) => [name, photo[name] ?? null])),
          );
          const head = ['Id', 'Size', 'Added', 'File', 'Title'];
          const rows = photos.map(({ id, file, title = '', width, height, addedAt }) => [
            ...[id, `${width} × ${height}`, addedAt.slice(0, 10), file, title],
          ]);
          return {
            json: { images },
            text: (columns) => (rows.length === 0 ? 'There are no photographs.' : table(head, rows, columns)),
          };
        },
      },
      {
        name: 'remove',
        summary: 'Remove photographs. Pages that show them show others from then on.',
        examples: ['library remove 0123456789abcdef0123 --yes'],
        arguments: [argument('<ID...>', 'ids as "library list" shows them')],
        confirms: true,
        async run({ service, confirm }, _, ...ids) {
          const services = imagesOf(service);
          const known = new Set((await listPhotos(services)).map(({ id }) => id));
          const unknown = ids.find((id) => !known.has(id));
          if (unknown !== undefined)
            throw notFound(`There is no photograph ${unknown}. "library list" shows all of them.`);
          await confirm(`${photographs(ids.length)} will be deleted.`);
          const by = await service.readPrincipal();
          for (const id of ids) {
            const at = new Date(services.clock.nowMs()).toISOString();
            await takeDown(services, photoImage('library', id), { id, at, by, reason: 'library remove' });
          }
          return { json: { removed: ids }, text: () => `Removed ${photographs(ids.length)}.` };
        },
      },
    ],
  );
