/** The types of dynalite's inside that the tables in memory use. */
declare module 'dynalite/actions/*' {
  /** Runs a command that `validateExpressions` has read; at once where the store answers at once. */
  const action: (store: object, data: object, end: (error: unknown, result?: object) => void) => void;
  export default action;
}
declare module 'dynalite/db' {
  export function matchesExprFilter(item: object, expression: object): boolean;
}
declare module 'dynalite/validations' {
  /** Adds to a command what its expressions say. Returns what is wrong with them. */
  export function validateExpressions(data: object): string | undefined;
}
