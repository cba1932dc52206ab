/** Turns environment variables into typed settings and reports every missing or malformed one at once. */

import { parseUrl } from '../base/parse-url';
import { switches } from '../contract/environment';
import { metricNamespace } from '../contract/metrics';

/** Reads one variable's text; throws an `Error` that says what is wanted. */
export type Reader<T> = (text: string) => T;

/** A setting with a default is optional in the environment. */
export interface Setting<T> {
  readonly read: Reader<T>;
  readonly fallback?: T;
}

/** A setting that may be absent from the environment. */
export interface OptionalSetting<T> extends Setting<T> {
  readonly fallback: T;
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
  const entries = Object.entries(settings).map(([name, setting]) => {
    const text = environment[name];
    try {
      if (text) return [name, setting.read(text)];
      if (!('fallback' in setting)) faults.push(`${name} is missing`);
      return [name, setting.fallback];
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : 'is malformed'}`);
      return [name];
    }
  });
  if (faults.length > 0)
    throw new ConfigurationError(`The function is misconfigured:\n  ${faults.join('\n  ')}`);
  return Object.fromEntries(entries) as ConfigOf<S>;
}

/** Text that must be there. */
export const text: Setting<string> = { read: (value) => value };

/** Text that may be absent. */
export const optionalText: OptionalSetting<string | undefined> = {
  read: (value) => value,
  fallback: undefined,
};

/** One of some words, of which the first is the default. */
export function oneOf<T extends string>(words: readonly [T, ...T[]]): OptionalSetting<T> {
  return {
    fallback: words[0],
    read: (value) => {
      const word = words.find((each) => each === value);
      if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`);
      return word;
    },
  };
}

/** Whether something is `on`, with a default for where it is not said. */
export function onOff(fallback: boolean): Setting<boolean> {
  return { fallback, read: (value) => oneOf(switches).read(value) === 'on' };
}

/** A whole number within bounds, with a default. */
export function wholeNumber(min: number, max: number, fallback: number): Setting<number> {
  return {
    fallback,
    read: (value) => {
      const number = Number(value);
      if (!/^\d+$/.test(value) || number < min || number > max)
        throw new Error(`must be a whole number from ${min} to ${max}`);
      return number;
    },
  };
}

/** A whole number within bounds that may be absent. */
export function optionalNumber(min: number, max: number): OptionalSetting<number | undefined> {
  return { read: wholeNumber(min, max, min).read, fallback: undefined };
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

/** A URL as `url` reads it that may be absent. */
export function optionalUrl(...schemes: string[]): OptionalSetting<string | undefined> {
  return { read: url(...schemes).read, fallback: undefined };
}

/** JSON, checked by `check`, which throws an `Error` that says what is wanted. */
export function json<T>(check: (value: unknown) => T, fallback?: T): Setting<T> {
  const read = (value: string) => {
    let parsed: unknown;
    try {
      parsed = JSON.parse(value);
    } catch {
      throw new Error('must be JSON');
    }
    return check(parsed);
  };
  return fallback === undefined ? { read } : { read, fallback };
}

/** The CloudWatch namespace under which a function counts, so that no two stacks share an alarm. */
export const metricNamespaceSetting: Setting<string> = {
  read: (value) => value,
  fallback: metricNamespace,
};
