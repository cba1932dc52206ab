/** Stryker's settings for `npm run verify -- --mutants`: the file or folder that `MUTANTS` names, against the tests of its subject alone, with a report in the file `MUTANTS_REPORT`. */
const path = process.env.MUTANTS;
const subject = path.split('/')[1];
/** Tests of what cannot be told apart from its use: signatures and credentials as the image function reads them, and what is paid for an AI image. */
const alsoTestedBy = {
  requests: ['functions/redirect/**/*'],
  credentials: ['http/**/*'],
  serving: ['functions/redirect/**/*'],
  generation: ['protocol/service', 'simulation/histories'],
};

// biome-ignore lint/style/noDefaultExport: Stryker reads its settings from the default export.
export default {
  mutate: [path.endsWith('.ts') ? path : `${path}/*.ts`],
  testRunner: 'jest',
  jest: {
    configFile: 'jest.config.cjs',
    config: {
      // The project's own environment is a file that Stryker looks for elsewhere.
      testEnvironment: 'node',
      testMatch: [
        ...[`${subject}/**/*`, ...(alsoTestedBy[subject] ?? [])].map(
          (tests) => `<rootDir>/test/${tests}.test.ts`,
        ),
        '!**/test/*/dynamodb/**',
      ],
    },
  },
  coverageAnalysis: 'perTest',
  // A test compares sources that would begin with a comment otherwise; jest checks no types.
  disableTypeChecks: false,
  // What runs once when a file is loaded would need all tests for each mutant.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `.cache/mutants-${subject}.json`,
  tempDirName: '.cache/mutants',
  // Stryker reads it by an interface that TypeScript 7 does not have.
  tsconfigFile: 'none.json',
  ignorePatterns: ['.cache', '.local', 'cdk.out', 'packages/*/{dist,fixtures}'],
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: process.env.MUTANTS_REPORT },
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
};
