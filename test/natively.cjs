/** Jest's transformer for packages that each process loads once, as Node.js does, and not once for each test file. */
module.exports = {
  // Stryker, which sets MUTANTS, runs the tests in an environment of its own.
  process: (source, path) => ({
    code: process.env.MUTANTS ? source : `module.exports = requireNatively(${JSON.stringify(path)});`,
  }),
};
