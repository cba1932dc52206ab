/** `image-redirect images`: take images down, and list those that were. */

import type { Command } from 'commander';
import { systemClock as clock } from '../../lambda/base/system';
import { createCommand } from '../command';
import { notFound } from '../failure';
import { group, withSession, yesOption } from '../keys/session';
import { readText } from '../option-values';
import { facts, table } from '../output';
import { openImages } from './open-images';

/** The commands `images remove` and `images removed`. */
export const images = (): Command =>
  group(
    createCommand('images', {
      summary: 'Take images down, and list those that were.',
      examples: [
        'images remove 0123456789abcdef0123 --reason "request of the photographer"',
        'images removed --json',
      ],
    }),
    [remove(), removed()],
  );

const reasonCharactersMax = 500;

const remove = () =>
  createCommand('remove', {
    summary: 'Take an image down for good: within a minute it is shown nowhere, and its files are deleted.',
    details:
      'Pages that have chosen it show a card in its average colour; no search finds it again, for any account.',
    examples: [
      'images remove 0123456789abcdef0123 --reason "request of the photographer"',
      'images remove 0123456789abcdef0123456789abcdef --reason "shows a person" --yes --stack ImageRedirect-prod',
    ],
  })
    .argument('<ID>', 'pick of an image, id of an AI image, or id of a photograph of the library')
    .requiredOption(
      '--reason <TEXT>',
      'why, as "images removed" lists it',
      readText('--reason', reasonCharactersMax),
    )
    .addOption(yesOption())
    .action((id: string, { reason }: { readonly reason: string }, command: Command) =>
      withSession(command, async (session) => {
        const { findImage, takeDown } = await import('./take-down');
        const services = await openImages(session);
        const image = await findImage(services, id);
        if (!image)
          throw notFound(`There is no image ${id}. The record of an image names its pick and its imageId.`);
        await session.confirm(`The image ${id} (${image.kind}) will be deleted everywhere, for good.`);
        const by = await session.service.readPrincipal();
        const at = new Date(clock.nowMs()).toISOString();
        const removal = await takeDown(services, image, { id, at, by, reason });
        session.output.result(removal, () =>
          facts([
            ['Id', removal.id],
            ['Kind', removal.kind],
            ['At', removal.at],
            ['By', removal.by],
            ['Reason', removal.reason],
            ['Files', String(removal.files)],
          ]),
        );
      }),
    );

const removed = () =>
  createCommand('removed', {
    summary: 'List the images that were taken down: by whom, when and why.',
    examples: ['images removed', 'images removed --json'],
  }).action((_, command: Command) =>
    withSession(command, async (session) => {
      const { removals } = await import('../../lambda/images/picked-images');
      const all = (await removals(await openImages(session))).map(({ id, kind, at, by, reason }) => ({
        id,
        kind,
        at,
        by,
        reason,
      }));
      session.output.result({ removed: all }, (columns) =>
        all.length === 0
          ? 'No image was taken down.'
          : table(['Id', 'Kind', 'At', 'By', 'Reason'], all.map(Object.values), columns),
      );
    }),
  );
