/** Events for the operator are put on the bus that is named, and a rejected one is reported. */

import { putEvent } from '../../lambda/aws/event-bus';
import { systemClock } from '../../lambda/base/clock';
import { createDeadline } from '../../lambda/base/deadline';
import { sendEvent } from '../../lambda/functions/api/route-code';
import { reachAwsAt } from '../fakes/aws-environment';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { createRecordedTelemetry } from '../fakes/telemetry';

const event = { type: 'Usage threshold reached', detail: { account: 'acc_1', percent: 80 } } as const;

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

test('an event carries the bus, source and type that rules of EventBridge match', async () => {
  await putEvent('billing', event, AbortSignal.timeout(60_000));
  expect(received).toHaveLength(1);
  const [entry] = received[0]?.Entries ?? [];
  expect(entry).toMatchObject({ EventBusName: 'billing', Source: 'image-redirect', DetailType: event.type });
  expect(JSON.parse(entry?.['Detail'] ?? '')).toEqual(event.detail);
});

test('an event that the bus rejects is an error', async () => {
  answer = { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }] };
  await expect(putEvent('default', event, AbortSignal.timeout(60_000))).rejects.toThrow('InternalFailure');
});

test.each([
  ['billing', 1, 0],
  [undefined, 0, 1],
])('a threshold is sent to the bus %s, or logged if there is none', async (EVENT_BUS, events, lines) => {
  const telemetry = createRecordedTelemetry();
  const services = { clock: systemClock, config: { EVENT_BUS }, telemetry };
  await sendEvent(services as never, event as never, createDeadline(Infinity));
  expect([received.length, telemetry.infos.length]).toEqual([events, lines]);
});
