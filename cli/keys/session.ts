/** Opens a service's keys for one command, and closes them after it. */

import type { Command } from 'commander';
import { explained } from '../explain';
import { createOutput, type Output } from '../output';
import { type Place, placeOf, type ServiceOptions, withServiceOptions } from '../place';
import { createConfirm, yesOption } from './confirm';
import type { OpenKeys } from './open-keys';
import type { Store } from './stores/store';

/** What a command works with. */
export interface Session extends OpenKeys {
  readonly output: Output;
  /** Asks before what cannot be undone, in a command with the option for it. @throws `Failure` when it was not confirmed. */
  readonly confirm: (question: string) => Promise<void>;
}

/** Adds the options that every command for keys takes. */
export function withKeysOptions(command: Command): Command {
  const isConfirmed = command.options.some(({ long }) => long === yesOption().long);
  // The others take it in silence, so that a script may pass it to all.
  return withServiceOptions(isConfirmed ? command : command.addOption(yesOption().hideHelp()));
}

/** Does a command's work with the keys of the service that its options name. */
export async function withSession(
  command: Command,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const options = command.opts<ServiceOptions & { readonly yes?: boolean }>();
  const store = await openStore(placeOf(options));
  try {
    // The SDK is loaded by what needs it only, so that help and refusals are quick.
    const { openKeys } = await import('./open-keys');
    const session = {
      ...openKeys(store),
      output: createOutput(process, options.json === true),
      confirm: createConfirm({
        isConfirmed: options.yes === true,
        input: process.stdin,
        output: process.stderr,
      }),
    };
    await explained(store.place, () => work(session));
  } finally {
    store.client.destroy();
  }
}

async function openStore({ stack, local, ...aws }: Place): Promise<Store> {
  if (stack === undefined) return (await import('./stores/local-store')).localStore(local);
  return (await import('./stores/stack-store')).stackStore({ stack, ...aws });
}
