/** `image-redirect images`: it takes images down, and lists the images that were taken down. */

import { Argument, type Command, Option } from 'commander';
import { listRemovals } from '../../lambda/images/picked-images';
import { createTextParser } from '../command';
import { createNotFoundFailure } from '../failure';
import { formatTable } from '../output';
import { createCommandGroup, type Session } from '../service-command';
import { findStoredImage, takeDown } from './take-down';

const examples = [
  'images remove 0123456789abcdef0123 --reason "request of the photographer"',
  'images removed --json',
];

/** Creates the command `images`. */
export const buildCommand = (summary: string): Command =>
  createCommandGroup('images', { summary, examples }, [
    {
      name: 'remove',
      summary: 'Take an image down for good: it is shown nowhere any more, and its files are deleted.',
      details:
        'Pages that show the image get a card, and no search finds it again. Stored answers end after five minutes.',
      arguments: [
        new Argument('<ID>', 'pick of an image, id of an AI image, or id of a photograph of the library'),
      ],
      options: [
        new Option('--reason <TEXT>', 'why, as "images removed" lists it')
          .argParser(createTextParser('--reason', 500))
          .makeOptionMandatory(),
      ],
      confirms: true,
      async run({ service, args: [id = ''], ...session }: Session<{ readonly reason: string }>) {
        const image = await findStoredImage(service, id);
        if (!image)
          throw createNotFoundFailure(`There is no image ${id}. A record names its pick and its imageId.`);
        await session.requireConfirmation(
          `The image ${id} (${image.kind}) will be deleted everywhere, for good.`,
        );
        return { json: await takeDown(service, image, { id, reason: session.options.reason }) };
      },
    },
    {
      name: 'removed',
      summary: 'List the images that were taken down: by whom, when and why.',
      async run({ service }) {
        const removals = await listRemovals(service);
        const rows = removals.map(({ id, kind, at, by, reason }) => ({ id, kind, at, by, reason }));
        return { json: { removed: rows }, text: formatTable(rows) || 'No image was taken down.' };
      },
    },
  ]);
