/** Starts the local service, says where it is and how to try it, and ends it cleanly. */

import { ConfigurationError } from '../lambda/functions/config';
import { banner } from './local/banner';
import { DataFolderLocked } from './local/engine/embedded-dynamodb';
import { PortTaken } from './local/listen';
import { readOptions, UsageError, usage } from './local/options';
import { startLocalService } from './local/service';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.wantsHelp) return void process.stdout.write(usage);
  const service = await startLocalService(options, (error) => console.error(error));

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
  process.on('SIGTERM', end);
  process.on('SIGINT', end);

  const { url, keys, fakeProviders } = service;
  process.stderr.write(banner(service, options));
  if (options.isJson)
    process.stdout.write(`${JSON.stringify({ url, keys, ...(fakeProviders ? { fakeProviders } : {}) })}\n`);
}

main().catch((error: unknown) => {
  const isExpected = [UsageError, PortTaken, DataFolderLocked, ConfigurationError].some(
    (kind) => error instanceof kind,
  );
  console.error(isExpected ? (error as Error).message : error);
  process.exit(1);
});
