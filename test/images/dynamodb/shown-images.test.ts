/** Which writes and reads it takes to note what accounts have shown, and what is listed. */

import { createShownImages } from '../../../lambda/images/dynamodb/shown-images';
import { createReadShownImages } from '../../../lambda/images/dynamodb/shown-items';
import { engines, type TablesUnderTest } from '../../contracts/tables-under-test';

import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { anImage } from '../../fakes/stock';
import { createVirtualClock } from '../../fakes/virtual-clock';

const dayMs = 86_400_000;
const { attribution } = anImage;

describe.each(engines)('shown images on %s', (_, start) => {
  let tables: TablesUnderTest;
  beforeAll(async () => {
    tables = await start();
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
    const corrected = { ...attribution, creator: 'Another Name' };
    expect(await note(corrected)).toEqual(written);
    await clock.advance(29 * dayMs);
    expect(await note(corrected)).toEqual(read);
    await clock.advance(2 * dayMs);
    expect(await note(corrected)).toEqual(written);
    expect(await listed()).toEqual([
      { pick: 'aa', attribution: corrected, location: anImage.location, since, pages: ['home'] },
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

  it('notes neither a card for an image that is gone nor one without a pick', async () => {
    const { instance, calls } = opened('acc_gone');
    const { pick: _, ...unnamed } = { ...anImage, pick: 'dd' };
    await instance().note('acc_gone', { ...anImage, pick: 'cc', fallback: 'gone' });
    await instance().note('acc_gone', unnamed);
    expect(calls).toEqual([]);
  });
});
