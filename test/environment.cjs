/**
 * Jest's environment for Node.js, without three costs that each further test file of a process adds to: see
 * docs/develop.md.
 */

const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

// When nothing is left to do, a process with many test files behind it would free its memory piece by piece before it ends. That
// takes longer than the half second after which jest ends a worker and reports a leak.
process.once('beforeExit', () => process.exit());

/** The storages that were used since the last test file. */
const storages = new Set();
/** By storage of jest's: the test or hook that runs. */
const running = new WeakMap();
const { run, getStore } = AsyncLocalStorage.prototype;

/** Until Node.js 24, every promise of the process costs more for each storage in use. As tests run one after another, jest's needs none. */
AsyncLocalStorage.prototype.run = function (store, callback, ...args) {
  if (!isOfJest(store)) {
    storages.add(this);
    return run.call(this, store, callback, ...args);
  }
  const before = running.get(this);
  running.set(this, store);
  const result = callback(...args);
  const restore = () => running.set(this, before);
  Promise.resolve(result).then(restore, restore);
  return result;
};

AsyncLocalStorage.prototype.getStore = function () {
  return running.get(this) ?? getStore.call(this);
};

/** Whether jest-circus keeps this, to know to which test an error belongs that nothing catches. */
function isOfJest(store) {
  return typeof store === 'object' && store !== null && 'test' in store;
}

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
  constructor(...args) {
    super(...args);
    this.global.requireNatively = require;
  }

  async teardown() {
    // Those of packages, of which each file loads its own.
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
};
