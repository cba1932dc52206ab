/** Answers CloudFormation on behalf of a custom resource: it always receives an outcome, so that it never waits until its time-out. */

import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

/** Does the work of a request and returns the attributes of the resource. */
export type Work = (event: CloudFormationCustomResourceEvent) => Promise<Readonly<Record<string, string>>>;
/** Sends the outcome to the URL that the event names. */
type Answer = (url: string, body: string) => Promise<void>;

/** The handler that Lambda calls. @param works by resource type, without `Custom::` */
export function answerCloudFormation(works: Readonly<Record<string, Work>>, answer: Answer = put) {
  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    const { StackId, RequestId, LogicalResourceId, ResourceType, ResponseURL } = event;
    // The physical id never changes, so that an update is never taken for a replacement.
    const about = { StackId, RequestId, LogicalResourceId, PhysicalResourceId: LogicalResourceId };
    let outcome: object;
    try {
      const work = works[ResourceType.replace('Custom::', '')];
      if (!work) throw new Error(`There is no work for ${ResourceType}`);
      outcome = { Status: 'SUCCESS', Data: await work(event) };
    } catch (error) {
      outcome = { Status: 'FAILED', Reason: error instanceof Error ? error.message : 'unknown fault' };
    }
    await answer(ResponseURL, JSON.stringify({ ...about, ...outcome }));
  };
}

async function put(url: string, body: string): Promise<void> {
  const response = await fetch(url, { method: 'PUT', body, headers: { 'Content-Type': '' } });
  if (!response.ok) throw new Error(`CloudFormation did not take the answer: ${response.status}`);
}
