/** Finds the images of a rendered page that come from the service. */

/** URLs that are to show one image: those of one tag's `src` and `srcset`, or of one style. */
export interface ImageGroup {
  readonly tag: string;
  readonly urls: readonly string[];
}

/** @param base root of the service */
export function imagesInHtml(html: string, base: string): ImageGroup[] {
  const tags = html.match(/<[a-z][^>]*>/gi) ?? [];
  return tags.flatMap((tag) => {
    const urls = [...tag.matchAll(/[\s](?:src|srcset|imagesrcset|style)="([^"]*)"/gi)].flatMap(
      ([, value = '']) => urlsIn(decoded(value), base),
    );
    return urls.length > 0 ? [{ tag, urls: [...new Set(urls)] }] : [];
  });
}

function urlsIn(value: string, base: string): string[] {
  return (value.match(/https?:\/\/[^\s"')]+/g) ?? []).filter((url) => url.startsWith(`${base}/`));
}

function decoded(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(amp|quot|apos|lt|gt));/gi, (_all, decimal, hex, name) =>
    name
      ? (named[name] as string)
      : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}
