/** Announcements are EventBridge events, of which a rejected one is reported, or stand in the log. */

import { createEventBridgeAnnouncer, createLogAnnouncer } from '../../../lambda/quota/aws/announcers';
import { reachAwsAt } from '../../fakes/aws-environment';
import { accountId } from '../../fakes/branded';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';

const announcement = {
  account: accountId('acc_1'),
  month: '2026-11',
  percent: 80,
  limit: 1_000,
  used: 800,
  reset: '2026-12-01T00:00:00Z',
} as const;
const ceiling = {
  ceiling: 'day',
  owner: 'all',
  period: '2026-11-21',
  percent: 80,
  limit: 10,
  used: 8,
  reset: '2026-11-22T00:00:00Z',
} as const;

describe('the EventBridge announcer', () => {
  let bus: Loopback;
  let leaveAws: () => void;
  let received: { readonly Entries: readonly Record<string, string>[] }[];
  let answer: object;

  beforeEach(async () => {
    received = [];
    answer = { FailedEntryCount: 0, Entries: [{ EventId: '1' }] };
    bus = await listenOnLoopback(async (request, response) => {
      received.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
      response.setHeader('Content-Type', 'application/x-amz-json-1.1').end(JSON.stringify(answer));
    });
    leaveAws = reachAwsAt(bus.address, 'eu-central-1');
  });
  afterEach(async () => {
    leaveAws();
    await bus.stop();
  });

  it.each([
    ['Usage threshold reached', announcement],
    ['Generation ceiling threshold reached', ceiling],
  ])('puts one event that rules can match on: %s', async (DetailType, announced) => {
    await createEventBridgeAnnouncer('billing').announce(announced);
    expect(received).toHaveLength(1);
    const [entry] = received[0]?.Entries ?? [];
    expect(entry).toMatchObject({
      EventBusName: 'billing',
      Source: 'image-redirect',
      DetailType,
    });
    expect(JSON.parse(entry?.['Detail'] ?? '')).toEqual(announced);
  });

  it('fails when the bus did not take the event', async () => {
    answer = { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }] };
    await expect(createEventBridgeAnnouncer('default').announce(announcement)).rejects.toThrow(
      'InternalFailure',
    );
  });
});

test.each([
  ['A usage threshold was reached', announcement],
  ['A generation ceiling threshold was reached', ceiling],
])('without a bus, the log says: %s', async (message, announced) => {
  const telemetry = createRecordedTelemetry();
  await createLogAnnouncer(telemetry).announce(announced);
  expect(telemetry.infos).toEqual([{ message, fields: announced }]);
});
