/** Collects what `loadRouteCode` loads. */

import { putEvent } from '../../aws/event-bus';
import { createSignal, type Deadline } from '../../base/deadline';
import { awsTimes } from '../../contract/timeouts';
import { writeLlmsText } from '../../docs/guide';
import type { HttpRequest } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import type { ThresholdEvent } from '../../quota/usage/thresholds';
import type { Services } from '../../services/services';

export { routeOpenAiCall } from '../../openai/call';
export { postImages } from '../../pages/batch';
export { postPages } from '../../pages/fill-page';
export { getDocument, getOtherPath } from './documents';
export { deleteKey, getKeys, patchKey, postKey, postKeySuccessor } from './keys';
export { findRequestUrlAccess, publishRecord } from './records';
export { getUsage } from './usage';

/** Answers a message of the Model Context Protocol, whose instructions are llms.txt. */
export async function postMcp(services: Services, request: HttpRequest): Promise<HttpResult> {
  const { respondToMessage } = await import('../../pages/mcp/route');
  return respondToMessage(services, request, writeLlmsText(request.rootUrl, services.config.PLANS));
}

/** Sends an event to the bus of the operator. Without a bus, the event is logged. */
export async function sendEvent(
  { clock, config, telemetry }: Pick<Services, 'clock' | 'config' | 'telemetry'>,
  event: ThresholdEvent,
  deadline: Deadline,
): Promise<void> {
  if (config.EVENT_BUS === undefined) return telemetry.info(event.type, event.detail);
  await putEvent(config.EVENT_BUS, event, createSignal({ clock, deadline }, awsTimes.eventMs));
}
