/** `image-redirect images`: take images down, and list those that were. */

import type { Command } from 'commander';
import { systemClock as clock, systemIds as ids } from '../../lambda/base/system';
import { createCommand } from '../command';
import { notFound } from '../failure';
import { group, type Session, withSession, yesOption } from '../keys/session';
import { readText } from '../option-values';
import { facts, table } from '../output';
import type { Removals } from './removals';
import type { StoredImage, TakeDownDeps } from './take-down';

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
        const { findImage, photoImage, takeDown } = await import('./take-down');
        const { removals, ...deps } = await open(session);
        const image = (await findImage(deps, id)) ?? (await photograph(id, deps, photoImage));
        if (!image)
          throw notFound(`There is no image ${id}. The record of an image names its pick and its imageId.`);
        const { kind } = image;
        await session.confirm(`The image ${id} (${kind}) will be deleted everywhere, for good.`);
        // A repeated command completes what an earlier one has begun, and is no other removal.
        const earlier = await removals.find(id);
        const by = await session.service.readPrincipal();
        const files = await takeDown(deps, image);
        const at = new Date(clock.nowMs()).toISOString();
        const removal = earlier ?? { id, kind, files, at, by, reason };
        if (!earlier) await removals.note(removal);
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
      const { removals } = await open(session);
      const all = (await removals.all()).map(({ id, kind, at, by, reason }) => ({
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

/** A photograph of the library by its own id, which need not have been shown yet. */
async function photograph(
  id: string,
  { photos }: TakeDownDeps,
  photoImage: (provider: string, id: string) => StoredImage,
): Promise<StoredImage | undefined> {
  const photo = (await photos.list()).find((each) => each.id === id);
  return photo && photoImage('library', id);
}

async function open({ service }: Session): Promise<TakeDownDeps & { readonly removals: Removals }> {
  const { client, tables, openLibrary, lacks, invalidate } = service;
  const { images: stockMemoryTable, generationIndex } = tables;
  if (!stockMemoryTable || !generationIndex) throw lacks('tables of images');
  const [{ openPhotos }, { createRemovals }, { createGenerationIndex }] = await Promise.all([
    import('../library/open-photos'),
    import('./removals'),
    import('../../lambda/generation/dynamodb/generation-index'),
  ]);
  const opened = openPhotos(client, stockMemoryTable, openLibrary());
  const index = createGenerationIndex(client, generationIndex);
  const removals = createRemovals(client, stockMemoryTable, opened.stockMemory, clock);
  return { ...opened, client, stockMemoryTable, index, invalidate, clock, ids, removals };
}
