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
  /** How a provider's odd refusal is to be understood; `undefined` leaves it to its status. */
  readonly diagnose?: ((reply: Reply) => FailureKind | undefined) | undefined;
}

/**
 * The JSON that a provider answers with; `undefined` when it says that there is no such thing.
 * @throws `ProviderFailure`, and nothing else
 */
export async function fetchJson(request: JsonRequest): Promise<unknown> {
  const { provider, absentOn = [], diagnose } = request;
  const reply = await exchange(request);
  const { status, headers, body } = reply;
  const odd = diagnose?.(reply);
  if (!odd && absentOn.includes(status)) return undefined;
  const kind = odd ?? failureKindOf(status);
  if (kind)
    throw new ProviderFailure(kind, `${provider} answered with status ${status}.`, pauseMsIn(headers));
  return parseJson(body) ?? fail('malformed', `${provider} answered with something that is no JSON.`);
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
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) fail('malformed', 'The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function failureKindOf(status: number): FailureKind | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 400 && status < 500 && status !== 408 ? 'rejected' : 'unavailable';
}

/** The `Retry-After` of an answer in milliseconds, where it is given in seconds. */
function pauseMsIn(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}

function fail(kind: FailureKind, message: string): never {
  throw new ProviderFailure(kind, message);
}
