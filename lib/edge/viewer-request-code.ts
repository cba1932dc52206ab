/** Bundles the CloudFront Function of the edge into the one text that CloudFront runs. */

import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { parameterNames } from '../../lambda/contract/parameters';

const root = join(__dirname, '..', '..');

/** CloudFront's own limit for a function, in bytes. */
export const edgeFunctionBytesMax = 10_240;

/**
 * The function's source: ASCII, with `handler` as a global function.
 * @throws what esbuild throws, with the place of the fault
 */
export function viewerRequestCode(): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: ['lambda/functions/edge/viewer-request.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2015',
    minifyWhitespace: true,
    legalComments: 'none',
    define: { 'globalThis.EDGE_PARAMETERS': JSON.stringify([...parameterNames].sort()) },
    logLevel: 'silent',
  });
  // It is a script: what a module exports is global there.
  const code = (outputFiles[0]?.text ?? '').replace(/export\s*\{\s*handler\s*\};?\s*$/, '').trim();
  if (/\b(export|import)\b/.test(code))
    throw new Error('A CloudFront Function can neither import nor export');
  return code;
}
