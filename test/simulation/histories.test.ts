/** Some histories in the test runner's own process, where a change of the code under test is seen. */

import { simulate } from './simulate';

it.each(Array.from({ length: 100 }, (_, number) => number * 97))(
  'history %i keeps every promise, and is the same again, message by message',
  async (seed) => {
    const [first, second]: [string[], string[]] = [[], []];
    const { violations } = await simulate(seed, { print: (line) => first.push(line) });
    await simulate(seed, { print: (line) => second.push(line) });
    expect(violations).toEqual([]);
    expect(first.length).toBeGreaterThan(10);
    expect(second).toEqual(first);
  },
);
