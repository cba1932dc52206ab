/**
 * Jest's environment for Node.js, without two costs that each further test file of a process adds to: see
 * docs/decisions/0040-many-test-files-in-one-process.md.
 */

const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** The storages that were used since the last test file. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;

AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

/** By the name of a file: what it was compiled from, and its script. */
const compiled = new Map();
const { compileFunction } = vm;

/** Compiles a file once for all test files, and not once for each. A dynamic import needs what only jest's own way gives. */
vm.compileFunction = (source, parameters, options) => {
  const { filename, parsingContext } = options ?? {};
  if (!filename || !parsingContext || /\bimport\s*\(/.test(source))
    return compileFunction(source, parameters, options);
  const head = `(function (${parameters}) {`;
  let known = compiled.get(filename);
  if (known?.source !== source || known.head !== head) {
    const script = new vm.Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
    known = { source, head, script };
    compiled.set(filename, known);
  }
  return known.script.runInContext(parsingContext);
};

module.exports = class extends TestEnvironment {
  async teardown() {
    // Until Node.js 24, every promise of the process costs more for each storage in use, and jest leaves one behind for each file.
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
};
