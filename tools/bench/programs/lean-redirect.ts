/** A hand-written response for a known stock image: the same headers, body, charge and metric, without validation. */

import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { LeanCall } from './lean-dynamodb';

/** Where the hand-written response reads, charges and counts. */
export interface LeanRedirectOptions {
  /** Takes and returns items in DynamoDB's own JSON. */
  readonly call: LeanCall;
  readonly counters: string;
  readonly cache: string;
  readonly bindings: string;
  readonly write: (line: string) => void;
}

interface Known {
  readonly location: string;
  readonly source: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly attribution: { readonly creditLine: string; readonly license: { readonly url: string } };
}

/** Of the free plan, in requests a month. */
const limit = 1_000;
const exposed =
  'Location, X-Cache, X-Image-Source, X-Image-Id, X-Image-Attribution, X-Image-Color, X-Image-Fallback, X-Image-Fit, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Retry-After, X-Response-Time, Link';

/** Makes the handler; it validates nothing, and knows the free plan alone. */
export function createLeanRedirect({ call, counters, cache, bindings, write }: LeanRedirectOptions) {
  const remembered = new Map<string, Known>();
  let requests = 0;

  const read = async (key: string): Promise<Known> => {
    const cached = remembered.get(key);
    if (cached) return cached;
    const input = { TableName: cache, Key: { pk: { S: key } } };
    const { Item } = (await call('GetItem', input)) as { Item: { value: { S: string } } };
    const image = JSON.parse(Item.value.S) as Known;
    remembered.set(key, image);
    return image;
  };

  const charge = async (account: string, label: string, endMs: number): Promise<number> => {
    const { Attributes } = (await call('UpdateItem', {
      TableName: counters,
      Key: { pk: { S: `Q#${account}#${label}` } },
      UpdateExpression: 'ADD taken :one, spent :one SET held = if_not_exists(held, :zero), #ttl = :ttl',
      ConditionExpression: 'attribute_not_exists(taken) OR taken <= :last',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':one': { N: '1' },
        ':zero': { N: '0' },
        ':ttl': { N: String(endMs / 1_000 + 3_024_000) },
        ':last': { N: String(limit - 1) },
      },
      ReturnValues: 'UPDATED_NEW',
    })) as { Attributes: { taken: { N: string } } };
    return Number(Attributes.taken.N);
  };

  const count = (source: string, caller: string): void => {
    requests += 1;
    if (requests < 1_000) return;
    const metric = { Namespace: 'ImageRedirect', Dimensions: [['source', 'cache', 'caller']] };
    const metrics = [{ ...metric, Metrics: [{ Name: 'requests', Unit: 'Count' }] }];
    const _aws = { Timestamp: Date.now(), CloudWatchMetrics: metrics };
    write(`${JSON.stringify({ _aws, source, cache: 'HIT', caller, requests })}\n`);
    requests = 0;
  };

  return async (event: APIGatewayProxyEvent) => {
    const startedMs = Date.now();
    const segment = decodeURIComponent(event.pathParameters?.['spec'] ?? '');
    const x = segment.indexOf('x');
    const dash = segment.indexOf('-');
    const query = segment.slice(dash + 1).replace(/[-_+]/g, ' ');
    const wanted = [query.toLowerCase(), Number(segment.slice(0, x)), Number(segment.slice(x + 1, dash))];
    const print = createHash('sha256')
      .update(JSON.stringify([...wanted, 'stock_a', '']))
      .digest('hex');
    const now = new Date(startedMs);
    const label = now.toISOString().slice(0, 7);
    const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
    const endMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    const account = event.requestContext.authorizer?.['account'] as string;
    const [used, image] = await Promise.all([
      charge(account, label, endMs),
      read(`R#${bindings}#${print}#jpeg`),
    ]);
    const { location, source, widthPx, heightPx, attribution } = image;
    const caller = event.requestContext.authorizer?.['caller'] as string;
    count(source, caller);
    const leftS = Math.ceil((endMs - Date.now()) / 1_000);
    const body = JSON.stringify({
      url: location,
      width: widthPx,
      height: heightPx,
      source,
      cache: 'HIT',
      imageId: null,
      fit: null,
      fallback: null,
      attribution,
    });
    return {
      statusCode: 302,
      headers: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': exposed,
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'X-Content-Type-Options': 'nosniff',
        'X-Response-Time': `${Date.now() - startedMs}ms`,
        Location: location,
        'X-Cache': 'HIT',
        'X-Image-Source': source,
        'X-Image-Attribution': attribution.creditLine.normalize('NFKD').replace(/[^\x20-\x7e]/gu, ''),
        Link: `<${attribution.license.url}>; rel="license"`,
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': String(limit - used),
        'X-RateLimit-Reset': `${new Date(endMs).toISOString().slice(0, 19)}Z`,
        'RateLimit-Policy': `"month";q=${limit};w=${(endMs - startMs) / 1_000}`,
        RateLimit: `"month";r=${limit - used};t=${leftS}`,
        'Cache-Control': 'private, max-age=3600',
        Vary: 'Accept, Authorization, X-API-Key',
        'Content-Type': 'application/json; charset=utf-8',
      },
      body,
      isBase64Encoded: false,
    };
  };
}
