/** What the commands know of the service: where it is, and by which key. */

import { createSigner, type SignerCredentials } from '../signer';
import { UsageError } from './usage-error';

export interface Service {
  /** Root of the service. */
  readonly base: string;
  readonly key: string;
}

/** @throws `UsageError` where the environment names none */
export function serviceOf(env: NodeJS.ProcessEnv): Service {
  const { IMAGE_REDIRECT_URL: base, IMAGE_REDIRECT_KEY: key } = env;
  if (!base || !URL.canParse(base))
    throw new UsageError('Set IMAGE_REDIRECT_URL to the root of the service.');
  if (!key || !/^pk_/.test(key)) throw new UsageError('Set IMAGE_REDIRECT_KEY to an API key, pk_….');
  return { base: base.replace(/\/+$/, ''), key };
}

/** @param text `id:secret` of a signer @throws `UsageError` for what is none */
export function signerCredentials(text = ''): SignerCredentials {
  const [id = '', secret = ''] = text.split(':');
  try {
    createSigner({ id, secret });
  } catch {
    throw new UsageError('Set IMAGE_REDIRECT_SIGNER to the id and the secret of one signer, sg_…:sgs_….');
  }
  return { id, secret };
}

const loadTimeoutMs = 10_000;

/** Whether a URL answers with an image; each URL is loaded once. */
export function createLoads(): (url: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  const load = async (url: string): Promise<boolean> => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(loadTimeoutMs) });
      await response.body?.cancel();
      return response.ok && !/^text\//.test(response.headers.get('content-type') ?? '');
    } catch {
      return false;
    }
  };
  return (url) => {
    const loading = known.get(url) ?? load(url);
    known.set(url, loading);
    return loading;
  };
}
