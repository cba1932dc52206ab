// Calls a function, and prints the CPU of a call after the warm-up in milliseconds, and its answer; without a warm-up, loading it counts.
// Importing a built-in by its name would load others, which the function should be seen to load.
const { pathToFileURL } = process.getBuiltinModule('node:url');
const [file, event, warmUps, calls] = process.argv.slice(2);
const context = { getRemainingTimeInMillis: () => 28_000 };
const cpuMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000;

let startMs = cpuMs();
const { handler } = await import(pathToFileURL(file).href);
const input = JSON.parse(event);
for (let i = 0; i < Number(warmUps); i++) await handler(input, context);
if (warmUps > 0) startMs = cpuMs();
let result;
for (let i = 0; i < Number(calls); i++) result = await handler(input, context);
const ms = (cpuMs() - startMs) / calls;
// Below what it has written to its log.
console.log(`\n${ms}\n${JSON.stringify(result.headers?.Location ?? result.context)}`);
process.exit();
