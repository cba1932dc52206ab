/** `sign`: signs the URL of an image, or says what is wrong with a signature. */

import { parseArgs } from 'node:util';
import { canonicalForm, createSigner, type Signer } from '../signer';
import { requiredSigner, UsageError } from './environment';

/** @returns the exit code, 1 for a signature that is wrong @throws `UsageError` */
export async function sign(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { check: { type: 'string' }, days: { type: 'string' } },
  });
  const credentials = requiredSigner();
  const signer = createSigner(credentials);
  if (values.check !== undefined) {
    const fault = await faultOf(values.check, credentials.id, signer, Date.now());
    process.stdout.write(`${fault ?? 'The signature is right.'}\n`);
    return fault ? 1 : 0;
  }
  const [url, ...more] = positionals;
  if (!url || more.length > 0) throw new UsageError('Name one URL: sign "https://…/api/image?query=…".');
  const days = values.days === undefined ? undefined : Number(values.days);
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= 365))
    throw new UsageError('--days takes a whole number from 1 to 365.');
  const expires = days === undefined ? {} : { expires: Math.floor(Date.now() / 1_000) + days * 86_400 };
  process.stdout.write(`${await signer.sign(url, expires).catch(asUsage)}\n`);
  return 0;
}

function asUsage(error: unknown): never {
  throw new UsageError(`${(error as Error).message}.`);
}

const own = ['signer', 'expires', 'signature'];

/** What is wrong with a signed URL, in one sentence. @param nowMs milliseconds since the epoch */
async function faultOf(url: string, id: string, signer: Signer, nowMs: number): Promise<string | undefined> {
  if (!URL.canParse(url)) return 'This is no absolute URL.';
  const { searchParams } = new URL(url);
  for (const name of own) if (searchParams.getAll(name).length > 1) return `${name} is given twice.`;
  const [given, expires, signature] = own.map((name) => searchParams.get(name) ?? '');
  if (!signature) return 'The URL has no signature.';
  if (given !== id)
    return given
      ? `The URL names the signer ${given}; the secret is that of ${id}.`
      : 'The URL names no signer.';
  if (expires !== '' && !/^\d{1,12}$/.test(expires ?? '')) return 'expires is no time in Unix seconds.';
  const plain = without(url, own);
  const matches = async (target: string) => {
    const signed = await signer.sign(target, expires ? { expires: Number(expires) } : {});
    return new URL(signed).searchParams.get('signature') === signature;
  };
  try {
    if (await matches(plain)) {
      const endedMs = Number(expires) * 1_000;
      return expires && endedMs <= nowMs
        ? `The signature is right, and the URL ended on ${new Date(endedMs).toISOString()}.`
        : undefined;
    }
    for (const name of new Set(new URL(plain).searchParams.keys()))
      if (await matches(without(plain, [name])).catch(() => false))
        return `The parameter ${name} was added after the URL was signed.`;
    return `The signature does not match. It must be made over: ${canonicalForm(plain)}`;
  } catch (error) {
    return `${(error as Error).message}.`;
  }
}

/** A URL without some parameters; the others stay as they are written. */
function without(url: string, names: readonly string[]): string {
  const [path = '', query = ''] = (url.split('#')[0] as string).split(/\?(.*)/s);
  const kept = query.split('&').filter((pair) => !names.includes(pair.split('=')[0] ?? ''));
  return `${path}?${kept.join('&')}`;
}
