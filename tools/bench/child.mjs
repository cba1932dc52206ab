// Calls a function in a new process, and prints the CPU of one call in milliseconds. It fails unless the function
// redirects or allows. Without warm-ups, loading counts. An import of `node:url` would load modules that count too.
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
// The line feed ends the function's log.
console.log(`\n${ms}`);
process.exit((result.headers?.Location ?? result.context?.account) ? 0 : 1);
