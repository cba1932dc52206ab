// For the tests that npm run test:deploy runs against the emulated account.
const { testPathIgnorePatterns, ...plain } = require('./jest.config.cjs');

module.exports = { ...plain, setupFiles: ['<rootDir>/test/deploy/reach-emulated-account.ts'] };
