// Entry of a worker thread: lets it load TypeScript, as the main thread does, and passes on what runs an invocation.
import { createRequire } from 'node:module';
import { register as registerRequire } from 'tsx/cjs/api';
import { register as registerImport } from 'tsx/esm/api';

registerRequire();
registerImport();
// By `require`, because `import` does not always see the exports of a CommonJS module that is compiled as it is loaded.
export const { runInvocation } = createRequire(import.meta.url)('./run-invocation.ts');
