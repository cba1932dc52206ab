/** Jest's transformer for packages that each process loads once, as Node.js does, and not once for each test file. */
module.exports = {
  process: (_source, path) => ({ code: `module.exports = requireNatively(${JSON.stringify(path)});` }),
};
