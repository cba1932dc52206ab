/** Sends one request for JSON to a provider, and classifies its failure. */

import { parseJson } from '../../../base/parse';
import { readBytes } from '../../../base/read-bytes';
import { ProviderFailure, type ProviderFailureKind } from '../../stock-provider';

/** Largest reply that is read, in bytes. A page of twenty candidates is much smaller. */
const bytesMax = 3_000_000;

export interface JsonRequest {
  /** The provider's name. Messages say nothing else, because a URL or a body may contain a key. */
  readonly provider: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly form?: URLSearchParams;
  /** Statuses that mean that the thing does not exist. They are no failure. */
  readonly absentOn?: readonly number[] | undefined;
  /** Reads a refusal that its status does not show; `undefined` if the status decides. */
  readonly diagnose?: ((response: TextResponse) => ProviderFailureKind | undefined) | undefined;
}

export interface TextResponse {
  readonly status: number;
  readonly body: string;
}

/** Fetches JSON. Returns `undefined` for a status of `absentOn`. @throws only `ProviderFailure` */
export async function fetchJson(request: JsonRequest): Promise<unknown> {
  const { provider, url, headers, signal, form, absentOn = [], diagnose } = request;
  const createFailure = (failureKind: ProviderFailureKind, what: string, retryAfterMs?: number) =>
    new ProviderFailure(failureKind, `${provider} ${what}.`, retryAfterMs);
  let response: Response;
  let bytes: Buffer | undefined;
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal,
      ...(form && { method: 'POST', body: form }),
    });
    bytes = response.body ? await readBytes(response.body, bytesMax) : Buffer.alloc(0);
  } catch (error) {
    // The message of a fetch error may contain the URL or a header, and so the key.
    const code = (error as { cause?: { code?: unknown } }).cause?.code ?? (error as Error).name;
    throw createFailure('unavailable', `could not be reached (${String(code)})`);
  }
  if (!bytes) throw createFailure('malformed', 'answered with more than is read');
  const body = bytes.toString('utf8');
  const { status } = response;
  const diagnosedKind = diagnose?.({ status, body });
  if (!diagnosedKind && absentOn.includes(status)) return undefined;
  const kind = diagnosedKind ?? classifyStatus(status);
  // Only seconds are read. The header may also be a date.
  const pauseMs = Number(response.headers.get('retry-after') ?? Number.NaN) * 1_000;
  if (kind)
    throw createFailure(
      kind,
      `answered with status ${status}`,
      Number.isFinite(pauseMs) ? pauseMs : undefined,
    );
  const reply = parseJson(body);
  if (reply === undefined) throw createFailure('malformed', 'answered with something that is no JSON');
  return reply;
}

function classifyStatus(status: number): ProviderFailureKind | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 400 && status < 500 && status !== 408 ? 'rejected' : 'unavailable';
}
