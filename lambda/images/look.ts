/** Shows contact sheets to a model, and has models shorten searches; what they answer is checked before it counts. */

import type { Telemetry } from '../base/telemetry';
import type { ImageCodec } from './image-codec';
import type { ImageLibrary } from './image-library';
import { judgeInstruction, judgementJsonSchema, readJudgement } from './judgement';
import type { DrawScene, OriginalFetcher } from './render';
import type { JudgeAnswer, RewriteAnswer } from './renderer-answer';
import type { JudgeJob, RenditionSource, RewriteJob } from './renderer-job';
import { readSearches, rewriteInstruction, searchesJsonSchema } from './searches';

/** One request to a model, whose answer is JSON of a schema. */
export interface ModelRequest {
  /** The same text for every request of a kind. */
  readonly system: string;
  /** The data of this request, as JSON. */
  readonly text: string;
  readonly image?: { readonly bytes: Uint8Array; readonly mediaType: 'image/jpeg' };
  /** JSON Schema of the answer, and its name. */
  readonly schema: object;
  readonly name: string;
}

/**
 * Sends a model one request.
 * @returns the text of its answer
 * @throws when it does not answer, or with anything but 200; its message holds no key and nothing of the request
 */
export type RequestModel = (request: ModelRequest, signal: AbortSignal) => Promise<string>;

/** The models that the operator has chosen, and what shows them images. */
export interface LookDeps extends Thumbnails {
  /** Absent where the operator has chosen none. */
  readonly judge: RequestModel | undefined;
  readonly rewriter: RequestModel | undefined;
  readonly telemetry: Pick<Telemetry, 'info'>;
}

/** What images are loaded and drawn with. */
interface Thumbnails {
  readonly library: Pick<ImageLibrary, 'get'>;
  readonly codec: Pick<ImageCodec, 'contactSheet' | 'paint'>;
  readonly fetchOriginal: OriginalFetcher;
  readonly drawScene: DrawScene;
}

/** Side of a cell of the sheet, in pixels. */
const cellPx = 320;

/** Without an answer that counts the rules decide. @throws when the signal is aborted or no sheet can be drawn */
export async function judge(deps: LookDeps, job: JudgeJob, signal: AbortSignal): Promise<JudgeAnswer> {
  const unjudged = (reason: string): JudgeAnswer => {
    deps.telemetry.info('Images were not judged', { reason });
    return { outcome: 'unjudged' };
  };
  if (!deps.judge) return unjudged('There is no judge');
  const { shown, sheet } = await sheetOf(deps.codec, await loaded(deps, job.images, signal));
  if (!sheet) return unjudged('No image could be loaded');
  const titles = shown.map(({ title }) => title ?? '');
  const data = {
    query: job.query,
    lang: job.lang ?? null,
    images: shown.length,
    ...(titles.some((title) => title !== '') && { titles }),
  };
  let text: string;
  try {
    text = await deps.judge(
      {
        system: judgeInstruction,
        text: JSON.stringify(data),
        image: { bytes: sheet, mediaType: 'image/jpeg' },
        schema: judgementJsonSchema,
        name: 'judgement',
      },
      signal,
    );
  } catch (error) {
    return unjudged(reasonOf(error));
  }
  const judgement = readJudgement(text, shown.length);
  if (!judgement) return unjudged('The answer does not keep to its schema');
  const images = judgement.images.map(({ n, ...verdict }) => ({
    ...verdict,
    index: (shown[n - 1] as { readonly index: number }).index,
  }));
  return { outcome: 'judged', images, alt: judgement.alt };
}

/** Never throws: without an answer that counts the words decide. */
export async function rewrite(
  deps: LookDeps,
  { query, lang }: RewriteJob,
  signal: AbortSignal,
): Promise<RewriteAnswer> {
  try {
    if (!deps.rewriter) return { outcome: 'rewritten' };
    const text = JSON.stringify({ query, lang: lang ?? null });
    const question = { system: rewriteInstruction, text, schema: searchesJsonSchema, name: 'searches' };
    const searches = readSearches(await deps.rewriter(question, signal));
    return { outcome: 'rewritten', ...(searches && { searches }) };
  } catch (error) {
    deps.telemetry.info('A prompt was not rewritten', { reason: reasonOf(error) });
    return { outcome: 'rewritten' };
  }
}

/** The sheet of all images, or of those that can be read where one of them cannot. */
async function sheetOf<T extends { readonly bytes: Uint8Array }>(
  codec: Pick<ImageCodec, 'contactSheet'>,
  images: readonly T[],
): Promise<{ readonly shown: readonly T[]; readonly sheet?: Uint8Array }> {
  if (images.length === 0) return { shown: images };
  try {
    return { shown: images, sheet: await codec.contactSheet(images.map(({ bytes }) => bytes)) };
  } catch (error) {
    const each = await Promise.allSettled(images.map(({ bytes }) => codec.contactSheet([bytes])));
    const readable = images.filter((_, index) => each[index]?.status === 'fulfilled');
    if (readable.length === images.length) throw error;
    return sheetOf(codec, readable);
  }
}

/** The images that can be loaded, with their places. @throws when the signal is aborted */
async function loaded<T extends { readonly source: RenditionSource }>(
  deps: Thumbnails,
  images: readonly T[],
  signal: AbortSignal,
): Promise<readonly (T & { readonly index: number; readonly bytes: Uint8Array })[]> {
  const all = await Promise.all(
    images.map(async (image, index) => {
      const bytes = await thumbnail(deps, image.source, signal).catch(() => undefined);
      return bytes ? [{ ...image, index, bytes }] : [];
    }),
  );
  signal.throwIfAborted();
  return all.flat();
}

async function thumbnail(
  { library, codec, fetchOriginal, drawScene }: Thumbnails,
  source: RenditionSource,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  switch (source.kind) {
    case 'drawing': {
      const { kind: _, ...scene } = source;
      const size = { widthPx: cellPx, heightPx: Math.round(cellPx / 1.5) };
      const metadata = { creditLine: 'Thumbnail', aiGenerated: false };
      const svg = await drawScene({ ...scene, ...size });
      return (await codec.paint(svg, { ...size, format: 'jpeg', metadata })).bytes;
    }
    case 'remote': {
      const fetched = await fetchOriginal(source.url, source.allowedHosts, signal);
      return fetched.outcome === 'fetched' ? fetched.bytes : undefined;
    }
    case 'stored':
      return (await library.get(source.path))?.bytes;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'not an error';
}
