/** `eject`: makes a site stand without the service, with every image of it in a file and every credit in a list. */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { fetchRecordAt } from '../fetch-records';
import type { Attribution } from '../service';
import { filesAt } from './files';
import { UsageError } from './usage-error';

/** Files in which URLs are looked for; all others are copied as they are. */
const textFile = /\.(?:html?|css|m?js|json|xml|txt|mdx?|jsx|tsx|vue|svelte|astro|webmanifest)$/;
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

export async function eject(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: 'string', default: 'dist' } },
  });
  const [site, ...more] = positionals;
  const base = process.env['IMAGE_REDIRECT_URL']?.replace(/\/+$/, '');
  if (!site || more.length > 0) throw new UsageError('Name the folder of the site: eject site --out dist.');
  if (!base) throw new UsageError('Set IMAGE_REDIRECT_URL to the root of the service.');
  const out = resolve(values.out);
  if (out === resolve(site) || resolve(site).startsWith(out + sep))
    throw new UsageError('--out must be a folder outside the site.');
  const files = filesAt([site], () => true).filter((file) => !resolve(file).startsWith(out + sep));
  const texts = files
    .filter((file) => textFile.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const urls = [...new Set(texts.flatMap(({ text }) => urlsIn(text, base).map(({ url }) => url)))];
  const places = new Map<string, string>();
  await eachOf(urls, async (url) => places.set(url, await keep(url, out)));
  const credits = await creditsOf(urls);
  for (const file of files) {
    const target = join(out, relative(site, file));
    mkdirSync(dirname(target), { recursive: true });
    const text = texts.find((each) => each.file === file)?.text;
    if (text === undefined) cpSync(file, target);
    else
      writeFileSync(
        target,
        rewritten(
          text,
          base,
          places,
          posix.relative(posix.dirname(relative(site, file).split(sep).join('/')), '.'),
        ),
      );
  }
  writeFileSync(join(out, 'credits.json'), `${JSON.stringify(credits, null, 2)}\n`);
  writeFileSync(join(out, 'CREDITS.md'), creditsText(credits));
  const linked = [...places.values()].filter((place) => /^https?:/.test(place)).length;
  process.stdout.write(
    `${files.length} files, ${places.size - linked} images written to ${values.out}.\n${linked > 0 ? `${linked} images of Unsplash stay links to Unsplash, as its terms require.\n` : ''}`,
  );
  return 0;
}

const decoded = (text: string) => text.replace(/&(?:amp|#38|#x26);/gi, '&');

/** The URLs of images of the service in a text, with their positions. */
function urlsIn(
  text: string,
  base: string,
): { readonly url: string; readonly start: number; readonly end: number }[] {
  const root = base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`${root}/api/image[/?](?:&(?:amp|#38|#x26);|[^\\s"'\`<>()\\\\;])+`, 'g');
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
    const raw = found.replace(/[,.;]+$/, '');
    return { url: decoded(raw), start: index, end: index + raw.length };
  });
}

/** @param root way from the file to the root of the site */
function rewritten(text: string, base: string, places: ReadonlyMap<string, string>, root: string): string {
  let [result, from] = ['', 0];
  for (const { url, start, end } of urlsIn(text, base)) {
    const place = places.get(url) ?? url;
    result += text.slice(from, start) + (/^https?:/.test(place) ? place : posix.join(root || '.', place));
    from = end;
  }
  return result + text.slice(from);
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

/** The key for URLs that say nobody who pays; a redirect to another host goes without it. */
export function credential(url: string): Record<string, string> {
  const key = process.env['IMAGE_REDIRECT_KEY'];
  return key && !/[?&](?:signature|site)=/.test(url) ? { Authorization: `Bearer ${key}` } : {};
}

async function load(url: string, attempt = 1): Promise<Response> {
  const answer = await fetch(url, { headers: credential(url), signal: AbortSignal.timeout(timeoutMs) }).catch(
    (error: Error) => error,
  );
  if (!(answer instanceof Error) && answer.ok) return answer;
  const isFinal = !(answer instanceof Error) && answer.status < 500;
  if (attempt < attempts && !isFinal) return load(url, attempt + 1);
  throw new Error(
    `${url.slice(0, 200)} does not load: ${answer instanceof Error ? answer.message : `HTTP ${answer.status}`}.`,
  );
}

interface Credit extends Attribution {
  readonly alt: string;
}

/** The credit of each image, whatever its sizes. */
async function creditsOf(urls: readonly string[]): Promise<readonly Credit[]> {
  const bySize = new Map(urls.map((url) => [url.replace(/([?&])(?:width|height)=\d+/g, '$1'), url]));
  const credits = new Map<string, Credit>();
  await eachOf([...bySize.values()], async (url) => {
    const key = 'Authorization' in credential(url) ? process.env['IMAGE_REDIRECT_KEY'] : undefined;
    const { attribution, alt, pick } = await fetchRecordAt(url, key ? { key } : {});
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
