/** Reads quota and token of a registered client of Openverse (https://api.openverse.org/v1/#tag/auth). */

import { type Running, shareWork } from '../../base/concurrency';
import { createExpiringCache } from '../../base/expiring-cache';
import { parseJson } from '../../base/parse';
import { ProviderFailure, type Quota } from '../stock-provider';
import { buildUrl, makeUserAgent, type ProviderSettings } from './adapter';
import { fetchJson } from './wire/fetch-json';
import { cleanText, readObject } from './wire/fields';

/** The quotas in the API's own headers for callers without a key, and for registered ones. */
const anonymousQuota = { perMinute: 20, perDay: 200 } as const;
const registeredQuota = { perMinute: 100, perDay: 10_000 } as const;
/** Time before its end at which a token is replaced, in milliseconds. */
const renewedBeforeMs = 60_000;

/** Makes the quota and the headers of the operator's client, or of a caller without a key. */
export function createOpenverseClient(baseUrl: string, settings: ProviderSettings) {
  const { clock, readKey } = settings;
  const renewing: Running<string> = new Map();
  const tokens = createExpiringCache<string>(1);

  const registered = async () => ((await readKey('openverse').catch(() => undefined)) ?? '').trim();

  const renew = async (client: string, signal: AbortSignal): Promise<string> => {
    const url = buildUrl(baseUrl, '/v1/auth_tokens/token/', {});
    const headers = { 'user-agent': makeUserAgent(settings) };
    const form = makeTokenForm(client);
    const reply = readObject(await fetchJson({ provider: 'openverse', url, headers, signal, form }));
    const token = cleanText(reply['access_token']);
    if (token === undefined) throw new ProviderFailure('malformed', 'openverse answered without a token.');
    const lastsMs = Number(reply['expires_in'] ?? 0) * 1_000;
    tokens.set(client, token, clock.nowMs() + lastsMs - renewedBeforeMs);
    return token;
  };

  return {
    /** The quota of a registered client where one is configured, else of anonymous requests. Never throws. */
    readQuota: async (): Promise<Quota> => ((await registered()) === '' ? anonymousQuota : registeredQuota),

    /** Makes headers with the token of the registered client; none without one. */
    async headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
      const client = await registered();
      if (client === '') return {};
      const cachedToken = tokens.get(client, clock.nowMs());
      const token = cachedToken ?? (await shareWork(renewing, client, () => renew(client, signal)).result);
      return { authorization: `Bearer ${token}` };
    },
  };
}

function makeTokenForm(client: string): URLSearchParams {
  // A parser's own message would repeat the secret.
  const { client_id, client_secret } = readObject(parseJson(client));
  const id = cleanText(client_id);
  const secret = cleanText(client_secret);
  if (id === undefined || secret === undefined)
    throw new ProviderFailure('unauthorized', 'The client of openverse has no client_id or client_secret.');
  return new URLSearchParams({ client_id: id, client_secret: secret, grant_type: 'client_credentials' });
}
