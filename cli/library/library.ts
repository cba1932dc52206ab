/** `image-redirect library`: it adds, lists and removes the operator's own photographs. */

import { Argument, type Command } from 'commander';
import { listPhotos } from '../../lambda/stock/library/manage-photos';
import { photoIndexTtlMs } from '../../lambda/stock/library/photo-index';
import { createNotFoundFailure } from '../failure';
import { makeStoredImage, takeDown } from '../images/take-down';
import { formatCount, formatTable } from '../output';
import { createCommandGroup } from '../service-command';
import { addFolder } from './read-folder';

const details =
  'A slot that is bound to "library" shows them. A search finds them by title, description and keywords, which come from library.csv beside them, or from their XMP or IPTC.';
const examples = ['library add ./photos', 'library list --json', 'library remove 0123456789abcdef0123 --yes'];

/** Creates the command `library`. */
export const buildCommand = (summary: string): Command =>
  createCommandGroup('library', { summary, details, examples }, [
    {
      name: 'add',
      summary: 'Add the photographs of a folder and its subfolders, each of them once.',
      arguments: [new Argument('<FOLDER>', 'JPEG, PNG, WebP and AVIF files, each with words and rights')],
      async run({ service, args: [folder = ''] }) {
        const { added, known, refused } = await addFolder(service, folder);
        // Instances of the service use their list of photographs for this long.
        await service.clock.sleep(photoIndexTtlMs);
        const summary = `Added ${formatCount(added, 'photograph')}; ${known} known already, ${refused.length} refused.`;
        const rows = refused.map(({ file, reason }) => ({ file, refusedBecause: reason }));
        return {
          json: { added, known, refused },
          text: `${summary}\n\n${formatTable(rows)}`,
          hasFailed: refused.length > 0,
        };
      },
    },
    {
      name: 'list',
      summary: 'List the photographs.',
      async run({ service }) {
        const photos = await listPhotos(service);
        // Word stems and path are for the search only.
        const images = photos.map(({ stems: _stems, path: _path, ...photo }) => photo);
        const rows = photos.map(({ id, file, title = '', width, height, addedAt }) => {
          return { id, size: `${width} × ${height}`, added: addedAt.slice(0, 10), file, title };
        });
        return { json: { images }, text: formatTable(rows) || 'There are no photographs.' };
      },
    },
    {
      name: 'remove',
      summary: 'Remove photographs. Pages that hold their pick then show a card.',
      arguments: [new Argument('<ID...>', 'ids as "library list" shows them')],
      confirms: true,
      async run({ service, requireConfirmation, args: ids }) {
        const existing = new Set((await listPhotos(service)).map(({ id }) => id));
        const unknown = ids.find((id) => !existing.has(id));
        if (unknown !== undefined)
          throw createNotFoundFailure(`There is no photograph ${unknown}. "library list" shows all of them.`);
        await requireConfirmation(`${formatCount(ids.length, 'photograph')} will be deleted.`);
        // The first round removes all files at once. The second waits for files that were being made.
        const reason = 'library remove';
        for (const storedLateMs of [0, service.storedLateMs])
          for (const id of ids)
            await takeDown({ ...service, storedLateMs }, makeStoredImage('library', id), { id, reason });
        return { json: { removed: ids }, text: `Removed ${formatCount(ids.length, 'photograph')}.` };
      },
    },
  ]);
