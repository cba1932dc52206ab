/** The texts of a CloudFront signed URL with a canned policy, for the side that signs and the side that checks. */

/**
 * What is signed. CloudFront rebuilds it from the request byte by byte, so there is no white space in it.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html
 * @param resource the whole URL without the parameters of the signature
 * @param expires epoch seconds in decimal
 */
export function cannedPolicy(resource: string, expires: string): string {
  return `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;
}

/** Base 64 with the three characters that a URL cannot hold replaced as CloudFront wants it. */
export function encodeSignature(signature: Uint8Array): string {
  return Buffer.from(signature)
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('=', '_')
    .replaceAll('/', '~');
}

/** The bytes of an encoded signature, or `undefined` for any text that is not their one exact encoding. */
export function decodeSignature(text: string): Uint8Array | undefined {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/');
  const signature = Buffer.from(base64, 'base64');
  return encodeSignature(signature) === text ? signature : undefined;
}
