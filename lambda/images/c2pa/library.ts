/** The C2PA library, by paths: it has no entry for `require`, by which the local service loads TypeScript. */

export * from '../../../node_modules/@trustnxt/c2pa-ts/dist/asset/index.js';
export {
  CoseAlgorithmIdentifier,
  type Signer,
} from '../../../node_modules/@trustnxt/c2pa-ts/dist/cose/index.js';
export * from '../../../node_modules/@trustnxt/c2pa-ts/dist/jumbf/index.js';
export * from '../../../node_modules/@trustnxt/c2pa-ts/dist/manifest/index.js';
