/** What a local fake provider of a stock provider is made of: it answers requests as the provider documents it. */

export interface FakeProviderRequest {
  /** The fake provider's own base URL, for the URLs it names. */
  readonly base: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface FakeProviderReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface FakeProvider {
  /** Parameter or header that carries the key; its value is never recorded. */
  readonly keyIn?: { readonly header?: string; readonly parameter?: string };
  /** The words that a request searches for, if it searches. */
  wordsOf(request: FakeProviderRequest): string | undefined;
  answer(request: FakeProviderRequest): Promise<FakeProviderReply> | FakeProviderReply;
}

export function json(
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): FakeProviderReply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}

export function plain(
  body: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): FakeProviderReply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
}

export function html(body: string, status: number): FakeProviderReply {
  return { status, headers: { 'content-type': 'text/html' }, body };
}

export function image(body: Uint8Array): FakeProviderReply {
  return { status: 200, headers: { 'content-type': 'image/jpeg', 'cache-control': 'max-age=3600' }, body };
}

export const notFound: FakeProviderReply = plain('Not found', 404);

/** A key that every fake provider refuses. */
export const badKey = 'bad-key';
