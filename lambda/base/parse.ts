/** Parses texts that may be malformed. */

/** Parses JSON; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a URL of the web as links have it; `undefined` for any other text. */
export function webUrl(text = ''): string | undefined {
  const url = parseUrl(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}

/**
 * Parses a URL; `undefined` for any other text. `URL.canParse` of Node 20 and 22 refuses URLs with letters
 * such as `ü` once its optimised form runs (seen on 20.20 and 22.23, not on 24.21).
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
