/** Twins of stock providers that a test owns, so that it can end one of them while the service runs. */

import { startTwins, type TwinName } from '../../bin/local/twins/start-twins';

export interface AskedRequest {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly key: 'present' | 'absent';
}

export interface OwnTwins {
  /** For the service's environment. */
  readonly endpoints: string;
  /** What a twin was asked so far. */
  asked(name: TwinName): Promise<readonly AskedRequest[]>;
  end(name: TwinName): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnTwins(names: readonly TwinName[]): Promise<OwnTwins> {
  const started = await Promise.all(
    names.map(async (name) => {
      const { endpoints, stop } = await startTwins([name]);
      return [name, { endpoint: endpoints[name] as string, stop }] as const;
    }),
  );
  const twins = new Map(started);
  return {
    endpoints: JSON.stringify(Object.fromEntries(started.map(([name, { endpoint }]) => [name, endpoint]))),
    asked: (name) => askedOf(twins.get(name)?.endpoint ?? ''),
    async end(name) {
      await twins.get(name)?.stop();
      twins.delete(name);
    },
    async stop() {
      await Promise.all([...twins.values()].map((twin) => twin.stop()));
    },
  };
}

/** What the twin at an address was asked so far. */
export async function askedOf(endpoint: string): Promise<readonly AskedRequest[]> {
  const { asked } = (await (await fetch(`${endpoint}/_asked`)).json()) as { readonly asked: AskedRequest[] };
  return asked;
}
