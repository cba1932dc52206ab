/**
 * The C2PA library by the files of its package: it names its entries for import statements alone, and the local service loads
 * TypeScript by `require`.
 */

export { type Asset, BMFF, JPEG } from '../../../node_modules/@trustnxt/c2pa-ts/dist/asset/index.js';
export {
  CoseAlgorithmIdentifier,
  type Signer,
} from '../../../node_modules/@trustnxt/c2pa-ts/dist/cose/index.js';
export type { CBORBox } from '../../../node_modules/@trustnxt/c2pa-ts/dist/jumbf/index.js';
export {
  type Action,
  ActionAssertion,
  ActionType,
  BMFFHashAssertion,
  type Claim,
  ClaimVersion,
  DataHashAssertion,
  DigitalSourceType,
  ManifestStore,
} from '../../../node_modules/@trustnxt/c2pa-ts/dist/manifest/index.js';
