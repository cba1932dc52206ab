/** The package's main entry: URLs, attributes, signatures and records, without a dependency. */

export {
  type Batch,
  type BatchImage,
  type FetchOptions,
  fetchBatch,
  fetchRecord,
  hosts,
  ImageProblem,
  isProblem,
} from './fetch-records';
export {
  cssText,
  type ImageProps,
  type ImagePropsSpec,
  imageHtml,
  imageProps,
  type LayoutOptions,
  type SignedPropsSpec,
} from './image-props';
export { type ImageSpec, imageUrl, type Ratio, type SignedSpec, type SignedUrl } from './image-url';
export { type Attribution, type ImageRecord, type Problem, signedParameters } from './service';
export { createSigner, type Signer, type SignerCredentials } from './signer';
