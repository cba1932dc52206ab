/** Private AI images from the outside. */

import { fixtureOf } from '../fakes/fixture';
import { ask, header, imageBehind } from './ask';
import { localAccounts } from './local-account';
import { sharedService } from './shared-service';

const service = fixtureOf(sharedService);
const accounts = fixtureOf(() => localAccounts(service.url));

const get = (path: string, key?: string) =>
  ask(service.url, { path, headers: key === undefined ? {} : { 'X-API-Key': key } });

test('two accounts never share a private image, and only its owner has the permalink', async () => {
  const [owner, other] = [await accounts.open('free', 0), await accounts.open('free', 0)];
  const own = await get('/api/image/320x200-diary?provider=ai', owner.key);
  const theirs = await get('/api/image/320x200-diary?provider=ai', other.key);
  expect(header(theirs, 'x-cache')).toBe('MISS');
  expect(header(theirs, 'x-image-id')).not.toBe(header(own, 'x-image-id'));
  const permalink = `/api/image/id/${header(own, 'x-image-id')}?width=200&height=100`;
  expect(await imageBehind(await get(permalink, owner.key))).toMatchObject({ width: 200, height: 100 });
  const pick = `/api/image?pick=${header(own, 'x-image-id').slice(0, 20)}&width=240`;
  expect((await get(pick, owner.key)).status).toBe(302);
  for (const key of [other.key, undefined])
    for (const path of [permalink, pick]) expect((await get(path, key)).status).toBe(404);
});
