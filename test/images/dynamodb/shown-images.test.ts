/** Which writes and reads it takes to note what accounts have shown, and what is listed. */

import { createShownImages } from '../../../lambda/images/dynamodb/shown-images';
import { createReadShownImages } from '../../../lambda/images/dynamodb/shown-items';
import { startTables, type TablesUnderTest } from '../../contracts/tables-under-test';

import { deliveryUrl } from '../../fakes/branded';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { anImage } from '../../fakes/stock';
import { createVirtualClock } from '../../fakes/virtual-clock';

const dayMs = 86_400_000;
const { attribution } = anImage;

describe('shown images', () => {
  let tables: TablesUnderTest;
  beforeAll(async () => {
    tables = await startTables();
  }, 60_000);
  afterAll(() => tables.stop());

  const opened = (account: string) => {
    const clock = createVirtualClock();
    const telemetry = createRecordedTelemetry();
    const calls: string[] = [];
    const underPick: string[] = [];
    const pickedImages = { noteAi: async ({ imageId = '' }) => void underPick.push(imageId) };
    const loadPicked = async () => ({ pickedImages });
    let isDown = false;
    const db = {
      send: ((command, options) => {
        calls.push(command.operation);
        return isDown ? Promise.reject(new Error('down')) : tables.client.send(command, options);
      }) as typeof tables.client.send,
      pause: async () => undefined,
    };
    const table = tables.tableNames.stockMemory;
    return {
      clock,
      telemetry,
      /** A new instance that notes the image. @returns the calls that it made */
      note: async (credit = attribution, page?: string) => {
        await createShownImages(db, table, { clock, telemetry }, loadPicked).note(
          account,
          { ...anImage, pick: 'aa', attribution: credit },
          { page },
        );
        return calls.splice(0);
      },
      instance: () => createShownImages(db, table, { clock, telemetry }, loadPicked),
      calls,
      underPick,
      setDown: (value: boolean) => {
        isDown = value;
      },
      listed: async () => (await createReadShownImages(tables.client, table).of(account)).images,
    };
  };

  it('writes what is new, and reads what is noted: an image, a page, another credit, and after a month', async () => {
    const { clock, note, listed } = opened('acc_new');
    const since = new Date(clock.nowMs()).toISOString();
    const [read, written] = [['GetItem'], ['GetItem', 'UpdateItem']];
    expect(await note()).toEqual(written);
    expect(await note()).toEqual(read);
    expect(await note(attribution, 'home')).toEqual(written);
    expect(await note(attribution, 'home')).toEqual(read);
    expect(await note(attribution, 'about')).toEqual(written);
    const corrected = { ...attribution, creator: 'Another Name' };
    expect(await note(corrected)).toEqual(written);
    await clock.advance(29 * dayMs);
    expect(await note(corrected)).toEqual(read);
    await clock.advance(2 * dayMs);
    expect(await note(corrected)).toEqual(written);
    expect(await listed()).toEqual([
      { pick: 'aa', attribution: corrected, location: anImage.location, since, pages: ['about', 'home'] },
    ]);
  });

  it('makes no call for what this instance has noted within a day, and tries again what failed', async () => {
    const { clock, telemetry, instance, calls, setDown, listed } = opened('acc_again');
    const shownImages = instance();
    const shown = { ...anImage, pick: 'bb' };
    setDown(true);
    await shownImages.note('acc_again', shown);
    expect(telemetry.errors).toHaveLength(1);
    setDown(false);
    calls.splice(0);
    for (let i = 0; i < 3; i++) await shownImages.note('acc_again', shown, { isNew: true });
    expect(calls.splice(0)).toEqual(['UpdateItem']);
    await clock.advance(dayMs);
    await shownImages.note('acc_again', shown);
    expect(calls).toEqual(['GetItem']);
    expect(await listed()).toHaveLength(1);
  });

  it('stores an AI image under its pick when it notes it', async () => {
    const { instance, underPick } = opened('acc_ai');
    const drawn = { ...anImage, pick: 'ee', imageId: 'ee-whole' };
    for (const image of [drawn, { ...anImage, pick: 'ff' }]) await instance().note('acc_ai', image);
    await instance().note('acc_ai', drawn);
    expect(underPick).toEqual(['ee-whole']);
  });

  it('lists a hundred at a time, of a page alone where one is named, and only from a place of the account', async () => {
    const { instance, clock } = opened('acc_many');
    const images = instance();
    const read = createReadShownImages(tables.client, tables.tableNames.stockMemory);
    const picks = Array.from({ length: 105 }, (_, i) => `p${i}`);
    for (const pick of picks) {
      const page = pick === 'p104' ? 'home' : undefined;
      await images.note('acc_many', { ...anImage, pick }, { page, isNew: true });
      await clock.advance(1);
    }
    const first = await read.of('acc_many');
    const { next = '' } = first;
    const rest = await read.of('acc_many', { after: next });
    expect(first.images.map(({ pick }) => pick)).toEqual(picks.slice(0, 100));
    expect([rest.images.map(({ pick }) => pick), rest.next]).toEqual([picks.slice(100), undefined]);
    const onPage = await read.of('acc_many', { page: 'home' });
    expect([onPage.images.map(({ pick }) => pick), onPage.next]).toEqual([['p104'], undefined]);
    await images.note('acc_man', { ...anImage, pick: 'p' }, { isNew: true });
    for (const [account, after] of [
      ['acc_man', next],
      ['acc_many', 'x'],
      ['acc_many', Buffer.from('{"pk":"SHOWN#acc_many#p1","shownBy":"acc_many"}').toString('base64url')],
      ['acc_man', Buffer.from('{"pk":"IMAGE#p1","shownBy":"acc_man","shownAt":"x"}').toString('base64url')],
    ] as const)
      await expect(read.of(account, { after })).rejects.toThrow(RangeError);
  });

  it.each(['https://cdn.example/a.webp', 'https://cdn.example/a.webp?w=1'])(
    'notes the location %s without its signature',
    async (location) => {
      const { instance, listed } = opened(`acc_${location.length}`);
      const signed = `${location}${location.includes('?') ? '&' : '?'}Expires=1&Signature=s&Key-Pair-Id=k`;
      await instance().note(`acc_${location.length}`, {
        ...anImage,
        pick: 'gg',
        location: deliveryUrl(signed),
      });
      expect(await listed()).toMatchObject([{ location }]);
    },
  );

  it('notes neither a card for an image that is gone nor one without a pick', async () => {
    const { instance, calls } = opened('acc_gone');
    const { pick: _, ...unnamed } = { ...anImage, pick: 'dd' };
    await instance().note('acc_gone', { ...anImage, pick: 'cc', fallback: 'gone' });
    await instance().note('acc_gone', unnamed);
    expect(calls).toEqual([]);
  });
});
