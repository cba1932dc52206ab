const { availableParallelism } = require('node:os');

process.env.TZ ??= 'Pacific/Kiritimati'; // No window may depend on the time zone.
process.env.NODE_NO_WARNINGS = '1'; // The AWS SDK announces on every start that it will leave Node 20.
module.exports = {
  // Jest looks at every file below the roots when it starts: in the whole project there are twice as many.
  roots: ['bin', 'cli', 'lambda', 'lib', 'local', 'packages', 'test', 'tools'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/packages/*/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Built files.
  modulePathIgnorePatterns: ['<rootDir>/packages/[^/]+/dist/'],
  transform: {
    '^.+\\.(t|j|mj)s$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  // These are published as ES modules only, and jest runs CommonJS.
  transformIgnorePatterns: [
    '/node_modules/(?!(@middy|@noble|stemmer|irregular-plurals|entities|parse5|@trustnxt|uuid|typed-binary)/)',
  ],
  // Arguments of each module, as looking up a global in the sandbox of a test costs a call out of the engine.
  sandboxInjectedGlobals: [
    'Array',
    'BigInt',
    'Date',
    'Error',
    'JSON',
    'Map',
    'Math',
    'Number',
    'Object',
    'Promise',
    'RegExp',
    'String',
    'Symbol',
    'Uint8Array',
  ],
  // After many test files a process takes longer to end than the half second after which jest reports a leak.
  workerGracefulExitTimeout: 15_000,
  // More workers than a small machine has cores, as some tests wait for other processes.
  maxWorkers: availableParallelism() > 2 ? 4 : 3,
  setupFilesAfterEnv: process.env.FC_NUM_RUNS ? ['<rootDir>/test/property-runs.ts'] : [],
  // Long enough for a busy machine; no test waits for time to pass.
  testTimeout: 120_000,
  errorOnDeprecated: true,
  injectGlobals: true,
};
