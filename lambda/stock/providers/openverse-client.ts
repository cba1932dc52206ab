/** The registered client of Openverse: its quota and its token (https://api.openverse.org/v1/#tag/auth). */

import { type Running, shareWork } from '../../base/concurrency';
import { createExpiringCache } from '../../base/expiring-cache';
import { parseJson } from '../../base/parse';
import { ProviderFailure, type Quota } from '../stock-provider';
import { buildUrl, makeUserAgent, type ProviderSettings } from './adapter';
import { fetchJson } from './wire/fetch-json';
import { cleanText, readObject } from './wire/fields';

/** The quotas of callers without a key and of registered callers. The API sends them in headers. */
const anonymousQuota = { perMinute: 20, perDay: 200 } as const;
const registeredQuota = { perMinute: 100, perDay: 10_000 } as const;
/** A token is replaced this long before it ends, in milliseconds. */
const renewedBeforeMs = 60_000;

/** Makes the functions that read the quota and the headers of the operator's client. */
export function createOpenverseClient(baseUrl: string, settings: ProviderSettings) {
  const { clock, readKey } = settings;
  const renewing: Running<string> = new Map();
  const tokens = createExpiringCache<string>(1);

  const readClient = async () => ((await readKey('openverse').catch(() => undefined)) ?? '').trim();

  const fetchToken = async (client: string, signal: AbortSignal): Promise<string> => {
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
    /** Reads the quota of the configured client, or else of callers without a key. Never throws. */
    readQuota: async (): Promise<Quota> => ((await readClient()) === '' ? anonymousQuota : registeredQuota),

    /** Makes headers with the token of the configured client; no headers without a client. */
    async headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
      const client = await readClient();
      if (client === '') return {};
      const cachedToken = tokens.get(client, clock.nowMs());
      const token =
        cachedToken ?? (await shareWork(renewing, client, () => fetchToken(client, signal)).result);
      return { authorization: `Bearer ${token}` };
    },
  };
}

function makeTokenForm(client: string): URLSearchParams {
  // The message of `JSON.parse` would repeat the secret, so it is not used.
  const { client_id, client_secret } = readObject(parseJson(client));
  const id = cleanText(client_id);
  const secret = cleanText(client_secret);
  if (id === undefined || secret === undefined)
    throw new ProviderFailure('unauthorized', 'The client of openverse has no client_id or client_secret.');
  return new URLSearchParams({ client_id: id, client_secret: secret, grant_type: 'client_credentials' });
}
