/** The functions of a module that take services, with the services of a test. */

export type Bound<M> = {
  readonly [N in keyof M as M[N] extends (services: never, ...rest: never) => unknown
    ? N
    : never]: M[N] extends (services: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** @param module imported as a whole: `import * as manageKeys from …` */
export function bound<M extends object>(services: object, module: M): Bound<M> {
  const functions = Object.entries(module).flatMap(([name, member]) =>
    typeof member === 'function' ? [[name, (...rest: unknown[]) => member(services, ...rest)]] : [],
  );
  return Object.fromEntries(functions) as Bound<M>;
}
