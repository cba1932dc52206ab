/** Every route behind its authorizer, with scripted stores: which problem a request ends in. */

import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { hourWindow } from '../../lambda/base/window';
import type { Tier } from '../../lambda/contract/plans';
import { noKnownKeys } from '../../lambda/credentials/authorize';
import { apiHandler } from '../../lambda/functions/api/handler';
import { authorizerHandler } from '../../lambda/functions/authorizer/handler';
import {
  type GatewayResponseType,
  gatewayResponses,
  gatewayStatus,
} from '../../lambda/http/gateway-responses';
import type { Payment } from '../../lambda/quota/payment';
import type { Parts } from '../../lambda/services';
import { bundlePageAssets } from '../../lib/functions/page-assets';
import { allows } from '../../local/gateway';
import { createFakeApiKeys } from '../fakes/api-keys';
import { imageServices } from '../fakes/image-services';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { anImage } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';
import { proxyEventOf } from '../functions/api/proxy-event';
import type { SeenRefusal } from './documented-refusals';

export interface SentRequest {
  readonly method: string;
  /** Template of the resource; a variable in it stands for itself. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What the path names; an image by default. */
  readonly id?: string;
}

export interface WholeService {
  readonly register: ReturnType<typeof createFakeApiKeys>;
  readonly nowMs: () => number;
  /** The problem that a request ends in, by the authorizer's word or the function's; `undefined` for an answer. */
  send(request: SentRequest): Promise<SeenRefusal | undefined>;
}

/** With a stock image and an AI image for every request. */
export function createWholeService(servePermalink: Parts['servePermalink']): WholeService {
  const clock = createVirtualClock(Date.parse('2026-11-21T12:34:56Z'));
  const telemetry = createRecordedTelemetry();
  const register = createFakeApiKeys([], clock);
  const { tables: _, ...stores } = register.services;
  const tierKeys = {} as Record<Tier, string>;
  const authorizer = authorizerHandler({
    ...register.services,
    telemetry,
    knownKeys: noKnownKeys(),
    tierKeys,
  });
  const rateLimit = { limit: 10, remaining: 9, window: hourWindow(clock.nowMs()) };
  const payment: Payment = { state: 'charged', units: [], rateLimit };
  const served = { outcome: 'served', image: anImage, cache: 'HIT', payment } as const;
  globalThis.PAGE_ASSETS = bundlePageAssets();
  const api = apiHandler(
    imageServices(
      {
        serveStock: async () => served,
        serveAi: async () => served,
        servePicked: async () => served,
        servePermalink,
        find: async () => ({ outcome: 'found', image: anImage, cache: 'HIT' }),
        reportUsage: async () => ({ rateLimit, used: 1, generations: { ...rateLimit, used: 0 } }),
      },
      { ...stores, clock, telemetry },
    ).services,
  );
  return {
    register,
    nowMs: clock.nowMs,
    async send({ method, path, headers = {}, query = {}, body, id = 'img_1' }) {
      // Some are beyond what is answered in a minute, and some are not.
      await clock.advance(1_000);
      const gatewayRefusal = (type: GatewayResponseType): SeenRefusal => {
        const answer = gatewayResponses[type];
        return { method, path, status: gatewayStatus(answer), code: answer.code };
      };
      const values = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
      const event = proxyEventOf({ method, headers, query: values, context: null });
      let context = {};
      if (/^\/(api|mcp|v1)\b/.test(path)) {
        const methodArn = `arn:aws:execute-api:eu-central-1:123456789012:abc/prod/${method}${path}`;
        const call = { ...event, type: 'REQUEST', methodArn } as unknown as APIGatewayRequestAuthorizerEvent;
        const verdict = await authorizer(call).catch(() => undefined);
        if (!verdict) return gatewayRefusal('AUTHORIZER_FAILURE');
        if (!allows(verdict.policyDocument, methodArn)) return gatewayRefusal('ACCESS_DENIED');
        context = verdict.context ?? {};
      }
      const asked = path.replace('{spec}', '300x200-lake').replace('{id}', id);
      const answer = await api({
        ...event,
        path: asked,
        body: body ?? null,
        requestContext: { ...event.requestContext, authorizer: { principalId: 'x', ...context } },
      });
      if (answer.statusCode < 400) return undefined;
      const { jsonrpc, code } = JSON.parse(answer.body);
      // A message of MCP that was refused, whoever sent it.
      return jsonrpc ? undefined : { method, path, status: answer.statusCode, code };
    },
  };
}
