// For `npm run test:unit`, the daily loop: everything but what starts processes, engines, browsers or stacks.
const all = require('./jest.config.cjs');

module.exports = {
  ...all,
  testPathIgnorePatterns: [
    ...all.testPathIgnorePatterns,
    '<rootDir>/test/(bin|budgets|cli|e2e|lib|local|protocol|simulation|tools)/',
    '<rootDir>/test/[a-z]+/dynamodb/',
    '<rootDir>/packages/client/test/signers-in-other-languages\\.test\\.ts$',
  ],
};
