/** Puts events on an EventBridge bus. */

import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { clientDefaults } from './agent';

/** An event for the operator's rules. */
interface BusEvent {
  readonly type: string;
  readonly detail: object;
}

/**
 * By two attempts.
 * @param EventBusName `default` is the account's own
 * @throws when the bus does not take the event, or not in time
 */
export async function putEvent(
  EventBusName: string,
  { type, detail }: BusEvent,
  abortSignal: AbortSignal,
): Promise<void> {
  const entry = { EventBusName, Source: 'image-redirect', DetailType: type, Detail: JSON.stringify(detail) };
  const client = new EventBridgeClient({ ...clientDefaults(), maxAttempts: 2 });
  const { Entries = [], FailedEntryCount } = await client.send(new PutEventsCommand({ Entries: [entry] }), {
    abortSignal,
  });
  if (FailedEntryCount) throw new Error(`The event bus refused an event: ${Entries[0]?.ErrorCode}`);
}
