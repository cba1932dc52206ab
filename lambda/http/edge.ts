/** Recognises requests that came through the CloudFront distribution of the service. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { edgeHeaders } from '../contract/edge';

/** Reads the viewer's IP address. The distribution sends its secret to prove that it wrote the address. */
export function readViewerIp(
  valuesOf: (name: string) => readonly string[],
  edgeHash: string | undefined,
): string | undefined {
  const [secret, ...otherSecrets] = valuesOf(edgeHeaders.proof);
  if (edgeHash === undefined || secret === undefined || otherSecrets.length > 0) return undefined;
  const isProof = timingSafeEqual(createHash('sha256').update(secret).digest(), Buffer.from(edgeHash, 'hex'));
  return isProof ? valuesOf(edgeHeaders.viewerIp)[0] : undefined;
}
