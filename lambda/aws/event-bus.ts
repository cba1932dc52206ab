/** Sends events to the operator's EventBridge bus. */

import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { makeClientDefaults } from './agent';

/** Puts one event on a bus, with up to two attempts. Throws if the bus does not take it in time. */
export async function putEvent(
  EventBusName: string,
  { type: DetailType, detail }: { readonly type: string; readonly detail: object },
  abortSignal: AbortSignal,
): Promise<void> {
  const entry = { EventBusName, Source: 'image-redirect', DetailType, Detail: JSON.stringify(detail) };
  const client = new EventBridgeClient({ ...makeClientDefaults(), maxAttempts: 2 });
  const output = await client.send(new PutEventsCommand({ Entries: [entry] }), { abortSignal });
  const refusedEntry = output.Entries?.find(({ ErrorCode }) => ErrorCode);
  if (refusedEntry) throw new Error(`The event bus refused an event: ${refusedEntry.ErrorCode}`);
}
