/** What tells a command what to do: its options, and the environment, which names the service, the key and the signer. */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { FetchOptions } from '../fetch-records';
import type { FilledImage } from '../service';

/** What became of an image of a file. */
export type FileRow<Row = FilledImage> = { readonly file: string } & Row;

/** A command line that cannot be followed: its message says what to change, and the program ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Options of a command that take a text, or nothing. */
export const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;

/** @throws as `parseArgs`, for options that a command does not have */
export const readArguments = <T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
) => parseArgs({ args: [...args], allowPositionals: true, options });

/** Root of the service without a trailing slash. @throws `UsageError` where the environment names none */
export function requiredBase(): string {
  const base = process.env['IMAGE_REDIRECT_URL']?.replace(/\/+$/, '');
  if (!base || !URL.canParse(base))
    throw new UsageError('Set IMAGE_REDIRECT_URL to the root of the service.');
  return base;
}

/** The key for URLs that say nobody who pays; signed URLs and those with a site key are sent without it. */
export function keyFor(url: string): Pick<FetchOptions, 'key'> {
  const key = process.env['IMAGE_REDIRECT_KEY'];
  return key && !/[?&](?:signature|site)=/.test(url) ? { key } : {};
}
