/** Fake providers that a test controls, so that it can stop one of them while the service runs. */

import { type FakeProviderName, startFakeProviders } from '../../local/fake-providers/start';

export interface RecordedRequest {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly key: 'present' | 'absent';
}

export async function startOwnFakeProviders(names: readonly FakeProviderName[]) {
  const started = await Promise.all(
    names.map(async (name) => {
      const { endpoints, stop } = await startFakeProviders([name]);
      return [name, { endpoint: endpoints[name] as string, stop }] as const;
    }),
  );
  const fakeProviders = new Map(started);
  return {
    /** For the service's environment. */
    endpoints: JSON.stringify(Object.fromEntries(started.map(([name, { endpoint }]) => [name, endpoint]))),
    /** The requests to a fake provider so far. */
    requestsTo: (name: FakeProviderName) => requestsTo(fakeProviders.get(name)?.endpoint ?? ''),
    async end(name: FakeProviderName) {
      await fakeProviders.get(name)?.stop();
      fakeProviders.delete(name);
    },
    async stop() {
      await Promise.all([...fakeProviders.values()].map((fakeProvider) => fakeProvider.stop()));
    },
  };
}

/** The requests to the fake provider at a URL so far. */
export async function requestsTo(endpoint: string): Promise<readonly RecordedRequest[]> {
  const { requests } = (await (await fetch(`${endpoint}/_requests`)).json()) as {
    readonly requests: RecordedRequest[];
  };
  return requests;
}
