/** The operator's look at the stock providers: `npm run providers -- --help`. */

import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { explain } from './operator/explain';
import { exitCodes } from './operator/failure';
import { createOutput } from './operator/output';
import { help, readCommandLine } from './providers/command-line';
import { createInspection } from './providers/inspection';
import { localSite } from './providers/local-site';
import { report } from './providers/report';
import type { Site } from './providers/site';

/** The SDK of a deployed stack is loaded only where there is one. */
async function openSite({
  stack,
  local,
  ...aws
}: ReturnType<typeof readCommandLine>['place']): Promise<Site> {
  if (stack === undefined) return localSite(local);
  const { stackSite } = await import('./providers/stack-site');
  return stackSite({ stack, ...aws });
}

async function main(): Promise<void> {
  const { place, isJson, isChecked, wantsHelp } = readCommandLine(process.argv.slice(2));
  if (wantsHelp) return void process.stdout.write(help);
  const site = await openSite(place);
  const client = DynamoDBDocumentClient.from(site.client);
  try {
    const slots = await createInspection(site, client)(isChecked);
    report(createOutput(process, isJson), site, slots, Date.now());
    if (slots.some(({ serves }) => !serves)) process.exitCode = exitCodes.slotDown;
  } finally {
    client.destroy();
  }
}

main().catch((error: unknown) => {
  const { exitCode, message } = explain(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
});
