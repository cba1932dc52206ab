/** A command line that cannot be followed: its message says what to change, and the program ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
