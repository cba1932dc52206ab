/** Starts local twins of stock providers, so that everything can be tried without a key and without the internet. */

import type { StockProviderName } from '../../../lambda/contract';
import { openverseTwin } from './openverse-twin';
import { pexelsTwin } from './pexels-twin';
import { pixabayTwin } from './pixabay-twin';
import { type ServedTwin, serveTwin } from './serve-twin';
import type { Twin } from './twin';
import { unsplashTwin } from './unsplash-twin';
import { wikimediaTwin } from './wikimedia-twin';

/** The sandbox needs no twin: it asks nobody. */
export type TwinName = Exclude<StockProviderName, 'sandbox'>;

const twins: Readonly<Record<TwinName, Twin>> = {
  openverse: openverseTwin,
  wikimedia: wikimediaTwin,
  unsplash: unsplashTwin,
  pexels: pexelsTwin,
  pixabay: pixabayTwin,
};

export interface StartedTwins {
  /** Base address by provider. `GET {address}/_asked` lists what that twin was asked. */
  readonly endpoints: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * @param firstPort fixed ports from this one on, in the order of the names, so that addresses which were cached live
 * through a restart; any free ports by default
 */
export async function startTwins(names: readonly TwinName[], firstPort?: number): Promise<StartedTwins> {
  const served: [TwinName, ServedTwin][] = [];
  const stop = async () => {
    await Promise.all(served.map(([, twin]) => twin.stop()));
  };
  try {
    for (const [index, name] of names.entries()) {
      const port = firstPort === undefined ? 0 : firstPort + index;
      served.push([name, await serveTwin(twins[name], port)]);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoints: Object.fromEntries(served.map(([name, { endpoint }]) => [name, endpoint])), stop };
}
