/** `image-redirect images`: take images down, and list those that were. */

import type { Command } from 'commander';
import { untimed } from '../../lambda/aws/dynamodb';
import { systemClock as clock, systemIds as ids } from '../../lambda/base/system';
import { removals } from '../../lambda/images/picked-images';
import { notFound } from '../failure';
import { readText } from '../option-values';
import { facts, table } from '../output';
import type { Service } from '../service';
import { argument, group, option } from '../service-command';
import { findImage, type TakeDownServices, takeDown } from './take-down';

/** The images of a service: its tables, files and distributions. @throws `Failure` where it does not tell them */
export const imagesOf = (service: Service): TakeDownServices => ({
  ...untimed(service.database),
  tables: service.tables('images', 'generationIndex'),
  bucket: service.openLibrary(),
  invalidate: (folders) => service.invalidate(folders),
  clock,
  ids,
});

/** The commands `images remove` and `images removed`. */
export const images = (): Command =>
  group(
    'images',
    {
      summary: 'Take images down, and list those that were.',
      examples: [
        'images remove 0123456789abcdef0123 --reason "request of the photographer"',
        'images removed --json',
      ],
    },
    [
      {
        name: 'remove',
        summary: 'Take an image down for good: it is shown nowhere any more, and its files are deleted.',
        details:
          'Pages that have chosen it show a card; no search finds it again, for any account. Kept answers end after five minutes.',
        examples: ['images remove 0123456789abcdef0123 --reason "shows a person" --yes'],
        arguments: [
          argument('<ID>', 'pick of an image, id of an AI image, or id of a photograph of the library'),
        ],
        options: [
          option('--reason <TEXT>', 'why, as "images removed" lists it', {
            read: readText('--reason', 500),
            isRequired: true,
          }),
        ],
        confirms: true,
        async run({ service, confirm }, { reason }: { readonly reason: string }, id = '') {
          const services = imagesOf(service);
          const image = await findImage(services, id);
          if (!image)
            throw notFound(`There is no image ${id}. The record of an image names its pick and its imageId.`);
          await confirm(`The image ${id} (${image.kind}) will be deleted everywhere, for good.`);
          const by = await service.readPrincipal();
          const at = new Date(clock.nowMs()).toISOString();
          const removal = await takeDown(services, image, { id, at, by, reason });
          return {
            json: removal,
            text: () =>
              facts([
                ['Id', removal.id],
                ['Kind', removal.kind],
                ['At', removal.at],
                ['By', removal.by],
                ['Reason', removal.reason],
                ['Files', removal.files],
              ]),
          };
        },
      },
      {
        name: 'removed',
        summary: 'List the images that were taken down: by whom, when and why.',
        examples: ['images removed --json'],
        async run({ service }) {
          const all = await removals(imagesOf(service));
          const removed = all.map(({ id, kind, at, by, reason }) => ({ id, kind, at, by, reason }));
          return {
            json: { removed },
            text: (columns) =>
              removed.length === 0
                ? 'No image was taken down.'
                : table(['Id', 'Kind', 'At', 'By', 'Reason'], removed.map(Object.values), columns),
          };
        },
      },
    ],
  );
