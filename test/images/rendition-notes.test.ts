/** Who makes a rendition: one alone, and another one where the file that was noted is gone. */

import { claimNote, endClaim, readNote } from '../../lambda/images/rendition-notes';
import { libraryPath } from '../fakes/branded';
import { type Engine, startEngine } from '../fakes/dynamodb-engine';
import { servicesOn } from '../fakes/services';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

it('that is noted is made again only in place of the very one whose file is gone', async () => {
  const services = servicesOn(engine);
  const path = libraryPath('renditions/a/1x1.webp');
  expect(await claimNote(services, path, 'a')).toBe(true);
  expect(await claimNote(services, path, 'b')).toBe(false);
  await endClaim(services, path, 'a', {});
  // Whoever has read no note before it was there.
  expect(await claimNote(services, path, 'b')).toBe(false);
  expect(await claimNote(services, path, 'b', 'a')).toBe(true);
  await endClaim(services, path, 'b', {});
  // Whoever has found the file of the first gone too.
  expect(await claimNote(services, path, 'c', 'a')).toBe(false);
  expect(await readNote(services, path)).toMatchObject({ maker: 'b', made: {} });
});
