/** `sign`: signs the URL of an image, or says what is wrong with a signature. */

import { canonicalForm, createSigner, type SignerCredentials } from '../signer';
import { readArguments, requiredSigner, text, UsageError } from './environment';

/** @returns the exit code, 1 for a signature that is wrong @throws `UsageError` */
export async function sign(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { check: text, days: text });
  const credentials = requiredSigner();
  if (values.check !== undefined) {
    const fault = await faultOf(values.check, credentials, Date.now()).catch(messageOf);
    process.stdout.write(`${fault ?? 'The signature is right.'}\n`);
    return fault ? 1 : 0;
  }
  const [url, ...more] = positionals;
  if (!url || more.length > 0) throw new UsageError('Name one URL: sign "https://…/api/image?query=…".');
  const days = Number(values.days ?? 1);
  if (!(Number.isInteger(days) && days >= 1 && days <= 365))
    throw new UsageError('--days takes a whole number from 1 to 365.');
  const expires = Math.floor(Date.now() / 1_000) + days * 86_400;
  const signing = async () => createSigner(credentials).sign(url, values.days ? { expires } : {});
  const signed = await signing().catch((error: unknown) => {
    throw new UsageError(messageOf(error));
  });
  process.stdout.write(`${signed}\n`);
  return 0;
}

const messageOf = (error: unknown) => `${(error as Error).message}.`;
const own = ['signer', 'expires', 'signature'];

/** What is wrong with a signed URL, in one sentence. @param nowMs milliseconds since the epoch @throws as a signer */
async function faultOf(
  url: string,
  credentials: SignerCredentials,
  nowMs: number,
): Promise<string | undefined> {
  if (!URL.canParse(url)) return 'This is no absolute URL.';
  const { searchParams } = new URL(url);
  for (const name of own) if (searchParams.getAll(name).length > 1) return `${name} is given twice.`;
  const [id, expires, signature] = own.map((name) => searchParams.get(name) ?? '');
  if (!signature) return 'The URL has no signature.';
  if (!id) return 'The URL names no signer.';
  if (id !== credentials.id)
    return `The URL names the signer ${id}; the secret is that of ${credentials.id}.`;
  if (expires && !/^\d{1,12}$/.test(expires)) return 'expires is no time in Unix seconds.';
  const plain = without(url, own);
  const signer = createSigner(credentials);
  const isSignatureOf = async (target: string) =>
    (await signer.sign(target, expires ? { expires: Number(expires) } : {})).endsWith(`=${signature}`);
  if (await isSignatureOf(plain)) {
    const endMs = Number(expires || Infinity) * 1_000;
    const ended = () => `The signature is right, and the URL ended on ${new Date(endMs).toISOString()}.`;
    return endMs <= nowMs ? ended() : undefined;
  }
  for (const name of new Set(new URL(plain).searchParams.keys()))
    if (await isSignatureOf(without(plain, [name])).catch(() => false))
      return `The parameter ${name} was added after the URL was signed.`;
  return `The signature does not match. It must be made over: ${canonicalForm(plain)}`;
}

/** A URL without some parameters; the others stay as they are written. */
function without(url: string, names: readonly string[]): string {
  const [path = '', query = ''] = (url.split('#')[0] as string).split(/\?(.*)/s);
  const kept = query.split('&').filter((pair) => !names.includes(pair.split('=')[0] ?? ''));
  return `${path}?${kept.join('&')}`;
}
