/** Finds which provider keys the secret of a stack lacks. */

/**
 * @param value text of the secret: a JSON object from name to key; any other text holds no key
 * @returns those of the names that have no key
 */
export function missingKeys(value: string | undefined, names: readonly string[]): readonly string[] {
  let keys: Readonly<Record<string, unknown>> = {};
  try {
    keys = (JSON.parse(value ?? '{}') ?? {}) as Record<string, unknown>;
  } catch {
    // All of them are missing.
  }
  return names.filter((name) => typeof keys[name] !== 'string' || keys[name] === '');
}
