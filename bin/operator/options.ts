/** Reads the options of a tool from its command line, and explains them in its help, from one definition. */

import { parseArgs } from 'node:util';
import { wrongUsage } from './failure';

/** One option of a command line, as `node:util` wants it, with its words for the help. */
export interface OptionDefinition {
  readonly type: 'string' | 'boolean';
  /** Name of the value in the help: `ID`. */
  readonly value?: string;
  readonly help: string;
}

export type OptionDefinitions = Readonly<Record<string, OptionDefinition>>;
export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** @throws `Failure` with the usage code */
export function readOptions(
  args: readonly string[],
  definitions: OptionDefinitions,
): { readonly values: Options; readonly positionals: readonly string[] } {
  const options = Object.entries(definitions).map(([name, { type }]) => [name, { type }] as const);
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(options), allowPositionals: true });
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split(/\. To specify|\n/);
    throw wrongUsage(`${line.replace(/\.$/, '').replaceAll(/pk_\w+/g, 'pk_…')}.`);
  }
}

/** The lines of the help that explain options. */
export function optionLines(definitions: OptionDefinitions): string {
  return columns(
    Object.entries(definitions).map(([name, { value, help }]) => [
      `--${name}${value ? ` ${value}` : ''}`,
      help,
    ]),
  );
}

/** Terms and their explanations below one another. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([left, right]) => `  ${left.padEnd(24)}${right}`).join('\n');
}
