/**
 * Exports the C2PA library by file paths. Its package has no entry for `require`, which the local service needs
 * to load TypeScript.
 */

export * from '../../../node_modules/@trustnxt/c2pa-ts/dist/asset/index.js';
export {
  CoseAlgorithmIdentifier,
  type Signer,
} from '../../../node_modules/@trustnxt/c2pa-ts/dist/cose/index.js';
export * from '../../../node_modules/@trustnxt/c2pa-ts/dist/jumbf/index.js';
export * from '../../../node_modules/@trustnxt/c2pa-ts/dist/manifest/index.js';
