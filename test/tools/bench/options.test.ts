/** The command line of the benchmark. */

import { type BenchOptions, benchCommand } from '../../../tools/bench/options';

async function read(...args: readonly string[]): Promise<BenchOptions | undefined> {
  let options: BenchOptions | undefined;
  const command = benchCommand(['cold', 'warm']).action((given: BenchOptions) => {
    options = given;
  });
  await command.parseAsync(args, { from: 'user' });
  return options;
}

it('runs all groups and prints a table by default', async () => {
  expect(await read()).toEqual({ json: false, record: false });
});

it('runs one group', async () => {
  expect(await read('--only', 'cold', '--json')).toEqual({ only: 'cold', json: true, record: false });
});

it.each([
  [['--only', 'hot'], /'hot' is invalid\. Allowed choices are cold, warm/],
  [['--only', 'cold', '--record'], /cannot be used with option '--record'/],
  [['--frobnicate'], /--frobnicate/],
])('refuses %j', async (args, message) => {
  await expect(read(...args)).rejects.toThrow(message);
});
