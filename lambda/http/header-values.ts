/** Reads a header of an API Gateway event. */

/** All values of a header whatever its case; API Gateway keeps the case that the caller used. */
export function headerValues(
  event: { readonly multiValueHeaders: Readonly<Record<string, string[] | undefined>> | null },
  name: string,
): readonly string[] {
  const values: string[] = [];
  for (const [key, more] of Object.entries(event.multiValueHeaders ?? {})) {
    // Every request comes by here with a dozen other headers: their lengths rule most of them out.
    if (key.length === name.length && key.toLowerCase() === name) values.push(...(more ?? []));
  }
  return values;
}
