// For `npm run test:unit`, the daily loop: everything but what starts processes, engines, browsers or stacks.
const all = require('./jest.config.cjs');

module.exports = {
  ...all,
  testPathIgnorePatterns: [
    ...all.testPathIgnorePatterns,
    '<rootDir>/test/(bench|bin|budgets|e2e|lib|protocol|simulation)/',
    '<rootDir>/test/adapters/dynamodb/',
    '<rootDir>/packages/client/test/signers-in-other-languages\\.test\\.ts$',
  ],
};
