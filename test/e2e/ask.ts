/** Sends requests to a running service without following redirects, and reads the images behind them. */

import sharp from 'sharp';
import { isDocumented } from '../docs/documented-refusals';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface Question {
  /** Path and query below the service's root. */
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks a service. @throws when it refuses as openapi.json does not describe for the path */
export async function ask(url: string, { path, method = 'GET', headers = {} }: Question): Promise<Answer> {
  // A connection that is kept may end just as it is used again, where the clock is moved.
  const sentHeaders = { ...headers, connection: 'close' };
  const response = await fetch(url + path, { method, headers: sentHeaders, redirect: 'manual' });
  const answer = { status: response.status, headers: response.headers, body: await response.text() };
  // A whole URL, with a stage or of another service, names no route of the API.
  const code = path.startsWith('/') ? findRefusal(answer) : undefined;
  if (code !== undefined && !isDocumented({ method, path, status: answer.status, code }))
    throw new Error(`${method} ${path} is refused with ${answer.status} ${code}, which is not documented`);
  return answer;
}

/** The code of a refusal, of a problem document or a card; `undefined` for everything else. */
function findRefusal({ status, headers, body }: Answer): string | undefined {
  if (status < 400) return undefined;
  const isProblem = headers.get('content-type') === 'application/problem+json' && body !== '';
  return isProblem
    ? (JSON.parse(body) as { code: string }).code
    : (headers.get('x-image-fallback') ?? undefined);
}

/** Reads the units that an account has used in its window, as `/api/usage` reports them. */
export async function readUsedUnits(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/api/usage`, { headers: { 'X-API-Key': key } });
  if (response.status !== 200) throw new Error(`/api/usage answered ${response.status}`);
  return ((await response.json()) as { used: number }).used;
}

/** Posts JSON with a key. */
export function postJson(url: string, path: string, key: string, body: object): Promise<Response> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', connection: 'close' };
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** A required header. */
export function getHeader({ headers }: Answer, name: string): string {
  const value = headers.get(name);
  if (value === null) throw new Error(`There is no ${name} header`);
  return value;
}

export interface Image {
  readonly width: number;
  readonly height: number;
  readonly format: string;
  readonly bytes: Buffer;
}

/** Fetches the image of a response and decodes it completely, so that a broken image fails. */
export async function loadImage(answer: Answer): Promise<Image> {
  const response = await fetch(getHeader(answer, 'location'));
  if (response.status !== 200) throw new Error(`The image answered ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { format } = await sharp(bytes).metadata();
  return { width: info.width, height: info.height, format: format ?? 'unknown', bytes };
}
