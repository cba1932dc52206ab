/** The operator's tool for keys, plans and usage: `npm run keys -- help`. */

import { createBench } from './keys/bench';
import { type CommandLine, readCommandLine } from './keys/command-line';
import { createConfirm } from './keys/confirm';
import { helpOf } from './keys/help';
import { localStore } from './keys/stores/local-store';
import type { Store } from './keys/stores/store';
import { explain } from './operator/explain';
import { createOutput } from './operator/output';

/** The SDK of a deployed stack is loaded only where there is one. */
async function openStore({
  stack,
  local,
  ...aws
}: Extract<CommandLine, { kind: 'run' }>['place']): Promise<Store> {
  if (stack === undefined) return localStore(local);
  const { stackStore } = await import('./keys/stores/stack-store');
  return stackStore({ stack, ...aws });
}

async function main(): Promise<void> {
  const line = readCommandLine(process.argv.slice(2));
  if (line.kind === 'help') {
    process.stdout.write(helpOf(line.command));
    return;
  }
  const work = line.command.prepare(line.positionals, line.options);
  const store = await openStore(line.place);
  try {
    await work({
      ...createBench(store),
      output: createOutput(process, line.isJson),
      confirm: createConfirm({
        isConfirmed: line.isConfirmed,
        input: process.stdin,
        output: process.stderr,
      }),
    });
  } finally {
    store.client.destroy();
  }
}

main().catch((error: unknown) => {
  const { exitCode, message } = explain(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
});
