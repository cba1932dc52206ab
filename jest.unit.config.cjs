// For `npm run test:unit`, the daily loop: everything but what starts processes, engines, browsers or stacks.
const all = require('./jest.config.cjs');

module.exports = {
  ...all,
  testPathIgnorePatterns: [
    ...all.testPathIgnorePatterns,
    '<rootDir>/test/(bench|bin|budgets|e2e|lib|protocol|readme|simulation)/',
    '<rootDir>/test/adapters/dynamodb/',
    '<rootDir>/test/(architecture|readme)\\.test\\.ts$',
    '<rootDir>/packages/client/test/signers-in-other-languages\\.test\\.ts$',
  ],
};
