/** Asks for confirmation of what cannot be undone. */

import { createInterface } from 'node:readline/promises';
import { Option } from 'commander';
import { exitCodes, Failure } from '../failure';

/** The option of a command that asks for confirmation. */
export const yesOption = () => new Option('--yes', 'do not ask before what cannot be undone');

export interface ConfirmOptions {
  /** Whether it was confirmed on the command line already. */
  readonly isConfirmed: boolean;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Where the question is asked. */
  readonly output: NodeJS.WritableStream;
}

/** @throws `Failure` when it was not confirmed, or there is no terminal to ask in */
export function createConfirm({ isConfirmed, input, output }: ConfirmOptions) {
  return async (question: string): Promise<void> => {
    if (isConfirmed) return;
    if (!input.isTTY)
      throw new Failure(
        exitCodes.notConfirmed,
        `${question} There is no terminal to confirm it in; pass --yes to confirm.`,
      );
    const prompt = createInterface({ input, output });
    const answer = await prompt.question(`${question} Go on? [y/N] `);
    prompt.close();
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure(exitCodes.notConfirmed, 'Nothing was changed.');
  };
}
