// Entry of a worker thread: lets it load TypeScript, as the main thread does, and passes on what runs an invocation.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('../../bin/typescript.cjs');
// By `require`, because `import` does not always see the exports of a CommonJS module that is compiled as it is loaded.
export const { runInvocation } = require('./run-invocation.ts');
