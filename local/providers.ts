/** How the local service reaches stock providers: at a configured URL, at a fake provider, else at their own URLs; and with which keys. */

import { failed } from '../cli/failure';
import {
  keyedProviders,
  keyVariableOf,
  registeringProviders,
  type SlotBindings,
} from '../lambda/contract/providers';
import { apiSettings, readConfig } from '../lambda/functions/settings';
import { hasFakeProvider, startFakeProviders } from './fake-providers/start';

/** Where providers are reached. */
interface ReachedProviders {
  /** URLs that replace the providers' own. */
  readonly endpoints: ReturnType<typeof apiSettings.PROVIDER_ENDPOINTS>;
  /** Those of them that are fake providers of this service, when it is configured to start some. */
  readonly fakeProviders?: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @param before where the fake providers were reached the last time, and are again if they can be: what is stored names them
 * @param environment may name URLs of its own in `PROVIDER_ENDPOINTS`, for which no fake provider is started
 * @throws `ConfigurationError`, or `Failure` for a bound provider that no fake provider stands in for
 */
export async function reachProviders(
  bindings: SlotBindings,
  hasFakeProviders: boolean | undefined,
  environment: Environment,
  before?: ReachedProviders['endpoints'],
): Promise<ReachedProviders> {
  const { PROVIDER_ENDPOINTS } = apiSettings;
  const { PROVIDER_ENDPOINTS: named } = readConfig(environment, { PROVIDER_ENDPOINTS });
  if (!hasFakeProviders) return { endpoints: named, stop: async () => undefined };
  // The sandbox and the operator's own photographs send no request.
  const sending = [...new Set(Object.values(bindings))].filter(
    (name) => name !== 'sandbox' && name !== 'library',
  );
  const wanted = sending.filter((name) => named[name] === undefined);
  const missing = wanted.filter((name) => !hasFakeProvider(name));
  if (missing.length > 0)
    throw failed(
      `There is no fake provider of ${missing.join(', ')}. Bind another with --bind, or set its URL in PROVIDER_ENDPOINTS.`,
    );
  const { endpoints: fakeProviders, stop } = await startFakeProviders(wanted.filter(hasFakeProvider), before);
  return { endpoints: { ...named, ...fakeProviders }, fakeProviders, stop };
}

/** The value of the provider secret. @param hasFakeProviders fake providers take any key, so none has to be set */
export function localProviderKeys(environment: Environment, hasFakeProviders: boolean | undefined): string {
  const names = ['openai', ...keyedProviders, ...registeringProviders];
  const keyOf = (name: string) => environment[name === 'openai' ? 'OPENAI_API_KEY' : keyVariableOf(name)];
  // One that may register is also served without a key.
  const standIn = (name: string) =>
    hasFakeProviders && !registeringProviders.includes(name as never) ? `fake-${name}` : undefined;
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, keyOf(name) || standIn(name)])));
}
