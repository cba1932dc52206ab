/** `sendEvent` of `route-code.ts`: events for the operator are put on the named bus, and a rejected one is an error. */

import { systemClock } from '../../../lambda/base/clock';
import { createDeadline } from '../../../lambda/base/deadline';
import { sendEvent } from '../../../lambda/functions/api/route-code';
import type { Services } from '../../../lambda/services/services';
import { reachAwsAt } from '../../fakes/aws-environment';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { createRecordedTelemetry } from '../../fakes/telemetry';

const event = { type: 'Usage threshold reached', detail: { account: 'acc_1', percent: 80 } };

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

/** Sends a threshold, and returns what was logged. */
async function send(EVENT_BUS?: string) {
  const telemetry = createRecordedTelemetry();
  const config = { EVENT_BUS } as Services['config'];
  await sendEvent({ clock: systemClock, config, telemetry }, event, createDeadline(Infinity));
  return telemetry.infos;
}

test('an event carries the bus, source and type that rules of EventBridge match', async () => {
  expect(await send('billing')).toEqual([]);
  expect(received).toHaveLength(1);
  const [entry] = received[0]?.Entries ?? [];
  expect(entry).toMatchObject({ EventBusName: 'billing', Source: 'image-redirect', DetailType: event.type });
  expect(JSON.parse(entry?.['Detail'] ?? '')).toEqual(event.detail);
});

test('an event that the bus rejects is an error', async () => {
  answer = { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }] };
  await expect(send('default')).rejects.toThrow('InternalFailure');
});

test('without a bus, an event is logged', async () => {
  expect(await send()).toHaveLength(1);
  expect(received).toEqual([]);
});
