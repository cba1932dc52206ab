/** Drops the properties that are `undefined`, so that they are absent: in an item, in JSON, in a comparison. */
export function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
