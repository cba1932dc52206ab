/** The note of a rendition, in the table and in the memory of an instance. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { type NoteServices, noteRendition, readRenditionNote } from '../../lambda/generation/rendition-notes';
import type { Services } from '../../lambda/services/services';
import { createVirtualClock } from '../fakes/clock';
import { startEngine } from '../fakes/database';
import { fixtureOf } from '../fakes/fixture';
import { servicesOn } from '../fakes/services';
import { storedPath } from '../fakes/values';

const engine = fixtureOf(startEngine);

test('the note of a rendition holds for a day on every instance', async () => {
  const clock = createVirtualClock();
  const instance = () =>
    servicesOn<Services & NoteServices>(engine, { clock, renditions: createExpiringCache(9) });
  const [one, other] = [instance(), instance()];
  const path = storedPath('renditions/a/2x2.webp');
  const notes = () => Promise.all([one, other].map((services) => readRenditionNote(services, path)));
  expect(await notes()).toEqual([undefined, undefined]);
  const placeholder = { color: '#112233', dataUri: 'data:,' };
  await noteRendition(one, path, { placeholder });
  expect(await notes()).toEqual([{ placeholder }, { placeholder }]);
  const item = { TableName: engine.tableNames.cache, Key: { pk: `RENDITION#${path}` } };
  const { Item } = await engine.client.send(new GetCommand(item));
  expect(Number(Item?.['ttl']) - clock.nowMs() / 1_000).toBe(86_400);
  await clock.advance(86_399_999);
  expect(await notes()).toEqual([{ placeholder }, { placeholder }]);
  await clock.advance(1);
  expect(await notes()).toEqual([undefined, undefined]);
});
