/** What a local twin of a stock provider is made of: it answers requests as the provider documents it. */

export interface TwinRequest {
  /** The twin's own base address, for the addresses it names. */
  readonly base: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface TwinReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface Twin {
  /** Parameter or header that carries the key; its value is never recorded. */
  readonly keyIn?: { readonly header?: string; readonly parameter?: string };
  /** The words that a request searches for, if it searches. */
  wordsOf(request: TwinRequest): string | undefined;
  answer(request: TwinRequest): Promise<TwinReply> | TwinReply;
}

export function json(
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): TwinReply {
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
): TwinReply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
}

export function html(body: string, status: number): TwinReply {
  return { status, headers: { 'content-type': 'text/html' }, body };
}

export function picture(body: Uint8Array): TwinReply {
  return { status: 200, headers: { 'content-type': 'image/jpeg', 'cache-control': 'max-age=3600' }, body };
}

export const notFound: TwinReply = plain('Not found', 404);

/** A key that every twin refuses. */
export const badKey = 'bad-key';
