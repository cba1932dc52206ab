/** Turns environment variables into typed settings and reports every missing or malformed one at once. */

import { parseUrl } from '../base/parse-url';
import { switches } from '../contract/environment';
import { metricNamespace } from '../contract/metrics';

/** How one variable is read. */
export interface Setting<T> {
  /** The value of a text that is not empty. @throws `Error` that says what is wanted */
  readonly read: (text: string) => T;
  /** What stands for a variable that is missing or empty; a setting without it must be there. */
  readonly fallback?: T;
}

/** What a function reads from its environment, by the names of the variables: the stack sets these and no others. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** What `readConfig` makes of settings. */
export type ConfigOf<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** Thrown at the start of a function; its message lists every faulty variable, one a line. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Reads all settings of a function.
 * @throws `ConfigurationError` that lists every fault, one a line; values are not repeated, as some are secret.
 */
export function readConfig<S extends Settings>(
  environment: Readonly<Record<string, string | undefined>>,
  settings: S,
): ConfigOf<S> {
  const faults: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const text = environment[name];
    try {
      config[name] = text ? setting.read(text) : setting.fallback;
      if (!text && !('fallback' in setting)) faults.push(`${name} is missing`);
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : 'is malformed'}`);
    }
  }
  if (faults.length > 0)
    throw new ConfigurationError(`The function is misconfigured:\n  ${faults.join('\n  ')}`);
  return config as ConfigOf<S>;
}

/** A setting that may be absent, with what stands for it. */
export function or<T, D>({ read }: Setting<T>, fallback: D): Setting<T | D> & { readonly fallback: T | D } {
  return { read, fallback };
}

/** Text. */
export const text: Setting<string> = { read: (value) => value };

/** Text that may be absent. */
export const optionalText = or(text, undefined);

/** One of some words, of which the first is the default. */
export function oneOf<T extends string>(words: readonly [T, ...T[]]): Setting<T> {
  const read = (value: string) => {
    const word = words.find((each) => each === value);
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`);
    return word;
  };
  return or({ read }, words[0]);
}

/** Whether something is `on`, which it is not where that is not said. */
export const isOn: Setting<boolean> = or({ read: (value) => oneOf(switches).read(value) === 'on' }, false);

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number): Setting<number> {
  return {
    read: (value) => {
      const number = Number(value);
      if (!/^\d+$/.test(value) || number < min || number > max)
        throw new Error(`must be a whole number from ${min} to ${max}`);
      return number;
    },
  };
}

/** A URL with one of the given schemes (`https:`), without a trailing slash. */
export function url(...schemes: string[]): Setting<string> {
  return {
    read: (value) => {
      if (!schemes.includes(parseUrl(value)?.protocol ?? ''))
        throw new Error(`must be a URL that begins with ${schemes.join(' or ')}`);
      return value.replace(/(?<!\/)\/+$/, '');
    },
  };
}

/** JSON. @param check throws an `Error` that says what is wanted; takes any value by default */
export function json<T>(check: (value: unknown) => T = (value) => value as T): Setting<T> {
  const parse = (value: string): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      throw new Error('must be JSON');
    }
  };
  return { read: (value) => check(parse(value)) };
}

/** The CloudWatch namespace under which a function counts, so that no two stacks share an alarm. */
export const metricNamespaceSetting: Setting<string> = or(text, metricNamespace);
