// Entry of a worker thread: lets it load TypeScript, as the main thread does, and passes on what runs an invocation.
import { register as registerRequire } from 'tsx/cjs/api';
import { register as registerImport } from 'tsx/esm/api';

registerRequire();
registerImport();
export const { runInvocation } = await import('./run-invocation.ts');
