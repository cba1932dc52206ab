/** What a route answers with: a response, or a refusal that has no form yet. */

import type { RateLimitStatus, Refusal } from '../problems/problem';

/** A response before the headers that all share are added. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the body is binary, in base64. */
  readonly isBase64?: boolean;
}

/** A refusal before it is put into the form that the caller can show. */
export interface HttpRefusal {
  readonly refusal: Refusal;
  /** Present when the caller was metered. */
  readonly rateLimit?: RateLimitStatus;
  /** Methods of the resource, for 405. */
  readonly allow?: readonly string[];
}

export type HttpResult = HttpResponse | HttpRefusal;
