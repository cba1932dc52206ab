// Loads one function in a fresh process, gives it its first event, and says what that took: CPU in milliseconds.
// Looked up, as importing a built-in by name would load others that the function should be seen to load.
const { pathToFileURL } = process.getBuiltinModule('node:url');

const [file, eventJson] = process.argv.slice(2);
const event = JSON.parse(eventJson);
const milliseconds = ({ user, system }) => (user + system) / 1_000;

const before = process.cpuUsage();
const { handler } = await import(pathToFileURL(file).href);
const loaded = process.cpuUsage(before);
const result = await handler(event, { getRemainingTimeInMillis: () => 28_000 });
const answered = process.cpuUsage(before);
const report = { result, loadMs: milliseconds(loaded), totalMs: milliseconds(answered) };
process.send(report, () => process.exit(0));
