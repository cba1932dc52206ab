// Runs two operations in turns, round by round, and reports the CPU of each round in microseconds per operation.
import { pathToFileURL } from 'node:url';

process.once('message', async ({ sides, warmUp, rounds, perRound, budgetMs }) => {
  const context = { getRemainingTimeInMillis: () => 28_000 };
  const operations = await Promise.all(
    sides.map(async ({ file, name, event = null }) => {
      const operation = (await import(pathToFileURL(file).href))[name];
      return () => operation(event, context);
    }),
  );
  const run = async (operation) => {
    const before = process.cpuUsage();
    for (let i = 0; i < perRound; i++) await operation();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / perRound;
  };
  const results = [];
  // What is warm has been compiled for speed, which takes thousands of calls of what is called from many places.
  for (const operation of operations) {
    results.push(await operation());
    for (let i = 0; i < warmUp; i++) await operation();
  }
  const endsMs = performance.now() + budgetMs;
  const samples = operations.map(() => []);
  for (let round = 0; round < rounds && (round === 0 || performance.now() < endsMs); round++)
    for (const [side, operation] of operations.entries()) samples[side].push(await run(operation));
  const [measured, least] = samples;
  process.send({ results, samples: { measured, least } }, () => process.exit(0));
});
