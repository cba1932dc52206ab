// Loads one export, calls it once, then as often as it is asked to, and answers with the CPU that took, in milliseconds.
// Looked up, as importing a built-in by name would load others that the function should be seen to load.
const { pathToFileURL } = process.getBuiltinModule('node:url');

const [file, name, event] = process.argv.slice(2);
const context = { getRemainingTimeInMillis: () => 28_000 };
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const startMs = cpuMs();
const { [name]: operation } = await import(pathToFileURL(file).href);
const parsed = JSON.parse(event);
const result = await operation(parsed, context);
process.send({ result, ms: cpuMs() - startMs });

process.on('message', async (count) => {
  const beforeMs = cpuMs();
  for (let i = 0; i < count; i++) await operation(parsed, context);
  process.send({ ms: (cpuMs() - beforeMs) / count });
});
