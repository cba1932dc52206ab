/** A client that is registered with Openverse: how many requests it may send, and its access token (https://api.openverse.org/v1/#tag/auth). */

import { parseJson } from '../../base/parse-json';
import { type Running, shareWork } from '../../base/single-flight';
import { type Capability, ProviderFailure } from '../stock-provider';
import { type ProviderSettings, urlOf, userAgentOf } from './core';
import { fetchJson } from './wire/fetch-json';
import { record, text } from './wire/fields';

/** What the API's own headers say to callers without a key, and to registered ones. */
export const anonymousQuota = { perMinute: 20, perDay: 200 } as const;
const registeredQuota = { perMinute: 100, perDay: 10_000 } as const;
/** How long before its end a token is replaced, in milliseconds. */
const renewedBeforeMs = 60_000;

/** What being registered changes. */
interface OpenverseClient {
  /** The limits that apply: those of a registered client only where one is configured. Never throws. */
  quota(): Promise<Capability['quota']>;
  /** The headers by which a request names the client; none without one. @throws `ProviderFailure` where a client is configured that Openverse gives no token */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}

/** A token is used until a minute before its end. */
export function createOpenverseClient(baseUrl: string, settings: ProviderSettings): OpenverseClient {
  const { clock } = settings;
  const renewing: Running<string> = new Map();
  let token = { value: '', client: '', endsMs: 0 };

  /** Id and secret as they stand in the secret of the provider keys; empty without them, or where that cannot be read. */
  const registered = async (): Promise<string> => (await settings.key().catch(() => '')).trim();

  const renew = async (client: string, signal: AbortSignal): Promise<string> => {
    const answer = record(
      await fetchJson({
        provider: 'openverse',
        url: urlOf(baseUrl, '/v1/auth_tokens/token/', {}),
        headers: { 'user-agent': userAgentOf(settings) },
        signal,
        form: formOf(client),
      }),
    );
    const value = text(answer['access_token']);
    if (value === undefined) throw new ProviderFailure('malformed', 'openverse answered without a token.');
    const lastsMs = Number(answer['expires_in'] ?? 0) * 1_000;
    token = { value, client, endsMs: clock.nowMs() + lastsMs - renewedBeforeMs };
    return value;
  };

  return {
    quota: async () => settings.quota ?? ((await registered()) === '' ? anonymousQuota : registeredQuota),

    async headers(signal) {
      const client = await registered();
      if (client === '') return {};
      const isUsable = token.client === client && token.endsMs > clock.nowMs();
      const value = isUsable
        ? token.value
        : await shareWork(renewing, client, () => renew(client, signal)).result;
      return { authorization: `Bearer ${value}` };
    },
  };
}

/** What the token is asked for with. @throws `ProviderFailure` where the client has no id or no secret */
function formOf(client: string): URLSearchParams {
  // A parser's own message would repeat the secret.
  const { client_id, client_secret } = record(parseJson(client));
  const [id, secret] = [text(client_id), text(client_secret)];
  if (id === undefined || secret === undefined)
    throw new ProviderFailure(
      'unauthorized',
      'The client of openverse has no client_id or no client_secret.',
    );
  return new URLSearchParams({ client_id: id, client_secret: secret, grant_type: 'client_credentials' });
}
