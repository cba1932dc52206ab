/** Parses texts. A malformed text gives `undefined`. */

/** Parses JSON. The caller checks the form of the value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses and normalises a URL with `http:` or `https:`. */
export function parseWebUrl(text = ''): string | undefined {
  const url = parseUrl(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}

/** Parses a URL. `URL.canParse` is not used: that of Node 20 and 22 sometimes refuses letters such as `ü`. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
