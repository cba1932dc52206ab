/** Resolves the URLs of AWS to the emulated account, in place of DNS and CloudFront's edge. */

import { readFacts } from '../../tools/deploy-test/facts';
import { awsHostOf, edgeRefusal } from './edge';
import { fetchOver } from './fetch-over';

const ours = /\.(cloudfront\.net|execute-api\.[a-z0-9-]+\.amazonaws\.com|test)$/;
const elsewhere = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (!ours.test(url.hostname)) return elsewhere(input, init);
  const { port, edgeFile } = readFacts();
  const refusal = edgeRefusal(String(input), edgeFile);
  if (refusal) return refusal;
  const host = awsHostOf(url.hostname, edgeFile);
  if (host.endsWith('.test')) throw new Error(`There is no ${host}`);
  // API Gateway knows a domain by its name, the emulated CloudFront only its own.
  if (host.endsWith('.cloudfront.net')) url.hostname = host;
  return fetchOver(port, url, init);
};
