/** Exports the main entry of the package: URLs, attributes, signatures and records. It has no dependency. */

export type { Batch, BatchImage, FetchOptions } from './fetch-records';
export { fetchBatch, fetchRecord, hosts, ImageProblem, isProblem } from './fetch-records';
export { cssText, type ImageProps, imageHtml, imageProps, type PropsSpecOf } from './image-props';
export { type ImageSpec, imageUrl, type Ratio, type SignedUrl, type SpecOf } from './image-url';
export { type Attribution, type ImageRecord, type Problem, signedParameters } from './service';
export { createSigner, type Signer, type SignerCredentials } from './signer';
