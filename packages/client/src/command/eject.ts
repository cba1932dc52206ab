/** `eject`: makes a site stand without the service, with every image of it in a file and every credit in a list. */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { fetchRecordAt } from '../fetch-records';
import type { Attribution } from '../service';
import { keyFor, requiredBase, UsageError } from './environment';
import { filesAt } from './files';

/** Files in which URLs are looked for; all others are copied as they are. */
const textFile = /\.(?:html?|css|m?js|json|xml|svg|txt|mdx?|jsx|tsx|vue|svelte|astro|webmanifest)$/;
const xmlFile = /\.(?:xml|svg)$/;
const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/png': 'png',
  'image/svg+xml': 'svg',
};
const timeoutMs = 60_000;
const attempts = 2;
const atOnce = 4;

/** @returns exit code 0 @throws `UsageError`; an image that does not load ends it */
export async function eject(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: 'string', default: 'dist' } },
  });
  const [site, ...more] = positionals;
  if (!site || more.length > 0) throw new UsageError('Name the folder of the site: eject site --out dist.');
  const base = requiredBase();
  const out = resolve(values.out);
  if (out === resolve(site) || resolve(site).startsWith(out + sep))
    throw new UsageError('--out must be a folder outside the site.');
  const files = filesAt([site], /./).filter((file) => !resolve(file).startsWith(out + sep));
  const texts = new Map(
    files.filter((file) => textFile.test(file)).map((file) => [file, readFileSync(file, 'utf8')]),
  );
  const urls = new Set<string>();
  for (const text of texts.values())
    replaceUrls(text, base, (url) => {
      urls.add(url);
      return url;
    });
  const places = new Map<string, string>();
  await eachOf([...urls], async (url) => places.set(url, await keep(url, out)));
  const credits = await creditsOf([...urls]);
  for (const file of files) {
    const target = join(out, relative(site, file));
    mkdirSync(dirname(target), { recursive: true });
    const text = texts.get(file);
    const root = posix.relative(posix.dirname(relative(site, file).split(sep).join('/')), '.') || '.';
    const placeOf = (url: string) => {
      const place = places.get(url) ?? url;
      return isLink(place) ? place : posix.join(root, place);
    };
    if (text === undefined) cpSync(file, target);
    else writeFileSync(target, replaceUrls(text, base, placeOf, xmlFile.test(file) ? '&amp;' : '&'));
  }
  writeFileSync(join(out, 'credits.json'), `${JSON.stringify(credits, null, 2)}\n`);
  writeFileSync(join(out, 'CREDITS.md'), creditsText(credits));
  const links = [...places.values()].filter(isLink).length;
  process.stdout.write(
    `${files.length} files, ${places.size - links} images written to ${values.out}.\n${links > 0 ? `${links} images of Unsplash stay links to Unsplash, as its terms require.\n` : ''}`,
  );
  return 0;
}

const isLink = (place: string) => /^https?:/.test(place);

/** The forms of `&` in markup and in scripts. */
const escapedAmpersand = String.raw`&(?:amp|#38|#x26);|\\u0026`;

/**
 * A text with what stands for the URL of each image of the service, its `&` written as in that URL.
 * @param base root of the service
 * @param ampersand how `&` is written in place of a URL that has none
 */
function replaceUrls(text: string, base: string, placeOf: (url: string) => string, ampersand = '&'): string {
  const root = base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`${root}/api/image[/?](?:${escapedAmpersand}|[^\\s"'\`<>()\\\\;])+`, 'g');
  const ampersands = new RegExp(`${escapedAmpersand}|&`, 'g');
  return text.replace(pattern, (raw) => {
    const url = raw.replace(/[,.;]+$/, '');
    const [written = ampersand] = url.match(ampersands) ?? [];
    const place = placeOf(url.replace(ampersands, '&')).replaceAll('&', () => written);
    return place + raw.slice(url.length);
  });
}

/** Downloads an image. @returns its path below the root of the site, or the URL of an image that has to stay where it is */
async function keep(url: string, out: string): Promise<string> {
  const response = await load(url);
  const host = new URL(response.url).hostname;
  if (/(?:^|\.)unsplash\.com$/.test(host)) {
    await response.body?.cancel();
    return response.url;
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const extension = extensions[(response.headers.get('content-type') ?? '').split(';')[0] ?? ''] ?? 'jpg';
  const name = `images/${createHash('sha256').update(bytes).digest('hex').slice(0, 20)}.${extension}`;
  const target = join(out, name);
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target)) writeFileSync(target, bytes);
  return name;
}

async function load(url: string, attempt = 1): Promise<Response> {
  const { key } = keyFor(url);
  // A redirect to another host is followed without this header.
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {};
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) }).catch(
    (error: Error) => error,
  );
  const [fault, isFinal] =
    answer instanceof Error ? [answer.message, false] : [`HTTP ${answer.status}`, answer.status < 500];
  if (!(answer instanceof Error) && answer.ok) return answer;
  if (attempt < attempts && !isFinal) return load(url, attempt + 1);
  throw new Error(`${url.slice(0, 200)} does not load: ${fault}.`);
}

interface Credit extends Attribution {
  readonly alt: string;
}

/** The credit of each image, whatever its sizes. */
async function creditsOf(urls: readonly string[]): Promise<readonly Credit[]> {
  const bySize = new Map(urls.map((url) => [url.replace(/([?&])(?:width|height)=\d+/g, '$1'), url]));
  const credits = new Map<string, Credit>();
  await eachOf([...bySize.values()], async (url) => {
    const { attribution, alt, pick } = await fetchRecordAt(url, keyFor(url));
    credits.set(pick ?? url, { ...attribution, alt });
  });
  return [...credits.values()].sort((a, b) => (a.creditLine < b.creditLine ? -1 : 1));
}

function creditsText(credits: readonly Credit[]): string {
  const inText = (text: string) => text.replace(/[[\]\\]/g, '\\$&').replace(/\s+/g, ' ');
  const lines = credits.map(({ creditLine, landingUrl, license, alt }) => {
    const line = landingUrl ? `[${inText(creditLine)}](${landingUrl})` : inText(creditLine);
    return `- ${line}: ${inText(alt)}${license.url ? ` ([${inText(license.name)}](${license.url}))` : ''}`;
  });
  return `# Image credits\n\n${lines.join('\n')}\n`;
}

/** A few at a time, in order. */
async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
