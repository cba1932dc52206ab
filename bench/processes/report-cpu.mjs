// Loaded before a server: answers every message with the CPU that its process has used so far, in milliseconds.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuMs: (user + system) / 1_000 });
});
