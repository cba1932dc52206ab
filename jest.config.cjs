const { availableParallelism } = require('node:os');

process.env.TZ ??= 'Pacific/Kiritimati'; // No window may depend on the time zone.
process.env.NODE_NO_WARNINGS = '1'; // The AWS SDK announces on every start that it will leave Node 20.
module.exports = {
  // Not the whole project, which has twice as many files: jest looks at each of them when it starts.
  roots: ['bin', 'cli', 'lambda', 'lib', 'local', 'packages', 'test', 'tools'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/packages/*/test/**/*.test.ts'],
  transform: {
    '^.+\\.(t|j|mj)s$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  // Compiled although they are packages: they are published as ES modules only, and jest runs CommonJS.
  transformIgnorePatterns: [
    '/node_modules/(?!(@middy|@noble|stemmer|irregular-plurals|entities|parse5|@trustnxt|uuid|typed-binary)/)',
  ],
  // After many test files a process takes longer to end than the half second after which jest reports a leak.
  workerGracefulExitTimeout: 15_000,
  // More workers than a small machine has cores, as end-to-end tests wait for other processes most of the time.
  maxWorkers: availableParallelism() > 2 ? 4 : 3,
  // More inputs for tests of properties.
  setupFilesAfterEnv: process.env.FC_NUM_RUNS ? ['<rootDir>/test/property-runs.ts'] : [],
  // Long enough for a busy machine; no test waits for time to pass.
  testTimeout: 120_000,
};
