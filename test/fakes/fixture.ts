/** What the tests of a file share. */

interface Ending {
  stop?(): unknown;
  close?(): unknown;
}

/**
 * Makes a fixture before the first test of the file or of the `describe` around, and stops or closes it after
 * the last one. Its members are there from the first test on.
 */
export function fixtureOf<T extends object>(make: () => Promise<T>): T {
  const fixture = {} as T & Ending;
  beforeAll(async () => void Object.assign(fixture, await make()));
  afterAll(() => fixture.stop?.() ?? fixture.close?.());
  return fixture;
}
