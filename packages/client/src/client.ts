/** The package's main entry: URLs, attributes, signatures and records, without a dependency. */

export {
  type Batch,
  type BatchImage,
  type FetchOptions,
  fetchBatch,
  fetchRecord,
  ImageProblem,
  isProblem,
} from './fetch-records';
export { cssText, imageHtml } from './image-html';
export { type ImageProps, type ImagePropsSpec, imageProps, type LayoutOptions } from './image-props';
export { type Attribution, hosts, type ImageRecord, type Problem } from './image-record';
export type { Ratio } from './image-size';
export type { ImageSpec, SignedSpec } from './image-spec';
export { imageUrl } from './image-url';
export { signedParameters } from './signed-parameters';
export { createSigner, type Signer, type SignerCredentials, type SignOptions } from './signer';
