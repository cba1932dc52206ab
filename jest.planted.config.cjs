// For `npm run verify -- --planted`: the tests over sources in which a bug is planted.
const all = require('./jest.config.cjs');

const [[files, [, options]]] = Object.entries(all.transform);

module.exports = {
  ...all,
  transform: { [files]: ['<rootDir>/test/planted/plant.cjs', options] },
  // What waits for an answer that the bug keeps back fails soon.
  testTimeout: 20_000,
};
