/** One JSON request to a provider: capped, with a deadline, and with a name for every way to fail. */

import { parseJson } from '../../../base/parse-json';
import { type FailureKind, ProviderFailure } from '../../stock-provider';

/** Largest answer that is read, in bytes; a page of twenty candidates takes a fraction. */
const bytesMax = 3_000_000;

/** What a provider sent, whatever its status. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** How a provider's odd refusal is to be understood; `undefined` leaves it to its status. */
export type Diagnosis =
  | { readonly kind: FailureKind; readonly retryAfterMs?: number | undefined }
  | undefined;

/** One request to a provider. */
export interface JsonRequest {
  /** For messages: the provider's name and nothing else, as a URL or a body may hold a key. */
  readonly provider: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** What is posted; absent for a `GET`. */
  readonly form?: URLSearchParams;
  /** Statuses that say that there is no such thing, which is an answer. */
  readonly absentOn?: readonly number[];
  readonly diagnose?: (reply: Reply) => Diagnosis;
  /** Looks at the headers of a good answer. */
  readonly observe?: (headers: Headers) => void;
}

/**
 * The JSON that a provider answers with; `undefined` when it says that there is no such thing.
 * @throws `ProviderFailure`, and nothing else
 */
export async function fetchJson(request: JsonRequest): Promise<unknown> {
  const { provider, absentOn = [], diagnose, observe } = request;
  const reply = await exchange(request);
  const special = diagnose?.(reply);
  if (!special && absentOn.includes(reply.status)) return undefined;
  const diagnosis = special ?? diagnosisOf(reply);
  if (diagnosis) {
    const { kind, retryAfterMs = retryAfterMsOf(reply.headers) } = diagnosis;
    throw new ProviderFailure(kind, `${provider} answered with status ${reply.status}.`, retryAfterMs);
  }
  observe?.(reply.headers);
  return parsed(reply) ?? fail('malformed', `${provider} answered with something that is no JSON.`);
}

/** The JSON in an answer, or `undefined` when there is none. */
export function parsed({ body }: Reply): unknown {
  return parseJson(body);
}

async function exchange({ provider, url, headers, signal, form }: JsonRequest): Promise<Reply> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal,
      ...(form && { method: 'POST', body: form }),
    });
    return { status: response.status, headers: response.headers, body: await read(response) };
  } catch (error) {
    if (error instanceof ProviderFailure) throw error;
    // The message of an error of fetch may hold the URL or a header, and with it the key.
    const code = (error as { cause?: { code?: unknown } }).cause?.code ?? (error as Error).name;
    return fail('unavailable', `${provider} could not be reached (${String(code)}).`);
  }
}

async function read(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) fail('malformed', 'The answer is too long.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function diagnosisOf({ status }: Reply): Diagnosis {
  if (status >= 200 && status < 300) return undefined;
  if (status === 429) return { kind: 'throttled' };
  if (status === 401 || status === 403) return { kind: 'unauthorized' };
  return { kind: status >= 400 && status < 500 && status !== 408 ? 'rejected' : 'unavailable' };
}

/** The `Retry-After` of an answer in milliseconds, where it is given in seconds. */
function retryAfterMsOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}

function fail(kind: FailureKind, message: string): never {
  throw new ProviderFailure(kind, message);
}
