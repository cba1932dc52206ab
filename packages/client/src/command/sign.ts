/** The command `sign`. It signs the URL of an image. */

import { parseArgs } from 'node:util';
import { createSigner } from '../signer';
import { textOption, UsageError } from './inputs';

/** Prints a signed URL. @throws `UsageError` */
export async function sign(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { days: textOption } });
  const [id, secret] = (process.env['IMAGE_REDIRECT_SIGNER'] ?? '').split(':');
  if (!id?.startsWith('sg_') || !secret?.startsWith('sgs_'))
    throw new UsageError('Set IMAGE_REDIRECT_SIGNER to the id and the secret of one signer, sg_…:sgs_….');
  const [url, ...extra] = positionals;
  if (!url || extra.length > 0) throw new UsageError('Name one URL: sign "https://…/api/image?query=…".');
  const days = Number(values.days ?? 1);
  if (!(Number.isInteger(days) && days >= 1 && days <= 365))
    throw new UsageError('--days takes a whole number from 1 to 365.');
  const expires = Math.floor(Date.now() / 1_000) + days * 86_400;
  try {
    const signedUrl = await createSigner({ id, secret }).sign(url, values.days ? { expires } : {});
    process.stdout.write(`${signedUrl}\n`);
    return 0;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`);
  }
}
