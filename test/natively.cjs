/** Jest's transformer for packages that each process loads once, as Node.js does, and not once for each test file. */
module.exports = {
  process: (_, path) => ({ code: `module.exports = requireNatively(${JSON.stringify(path)});` }),
};
