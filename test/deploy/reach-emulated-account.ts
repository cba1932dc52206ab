/** Resolves the URLs of AWS to the emulated account, in place of DNS and CloudFront's edge. */

import { readFacts } from '../../tools/deploy-test/facts';
import { distributionAt, fetchThrough } from './distribution';
import { edgeRefusal } from './edge';
import { fetchOver } from './fetch-over';

const ours = /^[a-z0-9]+\.(cloudfront\.net|execute-api\.[a-z0-9-]+\.amazonaws\.com)$/;
const elsewhere = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (!ours.test(url.hostname)) return elsewhere(input, init);
  const { port, edgeFile } = readFacts();
  const refusal = edgeRefusal(String(input), edgeFile);
  if (refusal) return refusal;
  const distribution = distributionAt(url.hostname, edgeFile);
  return distribution
    ? fetchThrough(distribution, url, init, { port, viewerIp: '198.51.100.7' })
    : fetchOver(port, url, init);
};
