const { availableParallelism } = require('node:os');

process.env.TZ ??= 'Pacific/Kiritimati'; // A time zone far from UTC shows mistakes.
process.env.NODE_NO_WARNINGS = '1'; // The AWS SDK announces on every start that it will leave Node 20.
module.exports = {
  // Only folders with code and tests, because jest looks at every file when it starts.
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
  // These packages are compiled too: they are ES modules only, and jest runs CommonJS.
  transformIgnorePatterns: [
    '/node_modules/(?!(@middy|@noble|stemmer|irregular-plurals|entities|parse5|@trustnxt|uuid|typed-binary)/)',
  ],
  // After many files a process needs longer to end than the half second that jest allows by default.
  workerGracefulExitTimeout: 15_000,
  // More workers than cores on a small machine, because end-to-end tests mostly wait for other processes.
  maxWorkers: availableParallelism() > 2 ? 4 : 3,
  // FC_NUM_RUNS sets how many inputs a property test tries.
  setupFilesAfterEnv: process.env.FC_NUM_RUNS ? ['<rootDir>/test/property-runs.ts'] : [],
  // Long enough for a busy machine; no test waits for time to pass.
  testTimeout: 120_000,
};
