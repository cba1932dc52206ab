/** What the image handler takes from a REST proxy event: the only file after the authorizer that reads one. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { contextKeys } from '../contract/context-keys';
import { isPlanName } from '../contract/plans';
import type { Admission } from '../domain/caller/caller';
import type { RawRequest } from '../functions/redirect/request/parse-request';
import { headerValues } from './header-values';
import { rootOf } from './root-url';

export interface ImageEvent {
  readonly method: string;
  readonly raw: RawRequest;
  /** Segment of a permalink, when the request is for one. */
  readonly imageId?: string;
  readonly admission: Admission;
  readonly sourceIp: string;
  readonly requestId: string;
  /** When API Gateway received the request, milliseconds since the epoch. */
  readonly receivedMs: number;
  readonly accept?: string;
  readonly secFetchDest?: string;
  /** Root of the service as the caller sees it, with the stage prefix and without a trailing slash. */
  readonly rootUrl: string;
}

export function readImageEvent(event: APIGatewayProxyEvent): ImageEvent {
  const { requestContext } = event;
  const segment = event.pathParameters?.['spec'];
  const imageId = event.pathParameters?.['id'];
  const accept = headerOf(event, 'accept');
  const secFetchDest = headerOf(event, 'sec-fetch-dest');
  return {
    method: event.httpMethod,
    raw: {
      values: definedValues(event.multiValueQueryStringParameters),
      ...(segment === undefined ? {} : { segment }),
    },
    ...(imageId === undefined ? {} : { imageId }),
    admission: readAdmission(requestContext.authorizer),
    sourceIp: requestContext.identity.sourceIp,
    requestId: requestContext.requestId,
    receivedMs: requestContext.requestTimeEpoch,
    ...(accept === undefined ? {} : { accept }),
    ...(secFetchDest === undefined ? {} : { secFetchDest }),
    rootUrl: rootOf(event),
  };
}

function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const values = headerValues(event, name);
  return values.length === 0 ? undefined : values.join(', ');
}

function definedValues(
  values: APIGatewayProxyEvent['multiValueQueryStringParameters'],
): RawRequest['values'] {
  return values ?? {};
}

/** Reads what the authorizer wrote; a context that is neither admission nor refusal counts as an outage, never as a caller. */
export function readAdmission(context: Readonly<Record<string, unknown>> | null | undefined): Admission {
  const told = context ?? {};
  const caller = told[contextKeys.caller];
  const account = told[contextKeys.account];
  const plan = told[contextKeys.plan];
  const keyId = told[contextKeys.keyId];
  const refusal = told[contextKeys.refusal];
  if (refusal === 'invalid_api_key') return { outcome: 'refused' };
  if (caller === 'anonymous') return { outcome: 'known', caller: { kind: 'anonymous' } };
  const isKeyed = caller === 'live' || caller === 'test';
  if (isKeyed && typeof account === 'string' && isPlanName(plan) && typeof keyId === 'string')
    return { outcome: 'known', caller: { kind: caller, account, plan, keyId } };
  return { outcome: 'outage' };
}
