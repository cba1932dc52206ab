/** Sends requests to a running service without following redirects, and reads the images behind them. */

import sharp from 'sharp';

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

export async function ask(url: string, { path, method = 'GET', headers = {} }: Question): Promise<Answer> {
  const response = await fetch(url + path, { method, headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** A required header. */
export function header({ headers }: Answer, name: string): string {
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
export async function imageBehind(answer: Answer): Promise<Image> {
  const response = await fetch(header(answer, 'location'));
  if (response.status !== 200) throw new Error(`The image answered ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { format } = await sharp(bytes).metadata();
  return { width: info.width, height: info.height, format: format ?? 'unknown', bytes };
}
