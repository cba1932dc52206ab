/** Starts the local service, says where it is and how to try it, and ends it when a signal asks for it. */

import { Failure, failed } from '../cli/failure';
import { ConfigurationError } from '../lambda/functions/config';
import { banner } from './banner';
import type { LocalOptions } from './options';
import { startLocalService } from './service';

/** Resolves once the service is ready. @throws `Failure` */
export async function runService(options: LocalOptions): Promise<void> {
  // Keys and images are this user's alone.
  process.umask(0o077);
  // A failure says all there is to know; anything else is a fault, whose stack leads to it.
  const onFault = (error: unknown) => console.error(error instanceof Failure ? error.message : error);
  const service = await startLocalService(options, onFault).catch((error: unknown) => {
    if (error instanceof ConfigurationError) throw failed(error.message);
    throw error;
  });

  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
  // The launcher that holds the other end of the channel has ended without passing on a signal.
  process.on('disconnect', end);
  if (process.connected === false) end();

  const { url, keys, fakeProviders, originUrl } = service;
  process.stderr.write(banner(service, options));
  if (options.isJson)
    process.stdout.write(
      `${JSON.stringify({ url, keys, ...(fakeProviders ? { fakeProviders } : {}), ...(originUrl ? { originUrl } : {}) })}\n`,
    );
}
