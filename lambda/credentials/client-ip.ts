/** Identifies callers without a key by their IP address: IPv4 whole, IPv6 by its /64 network, only as a keyed hash. */

import { createHmac } from 'node:crypto';
import { parseUrl } from '../base/parse-url';

/**
 * Keyed hash (128 bits, hex) of the part of an IP address that stands for one caller. Text that is no IP address is
 * hashed as it is, so that such a caller is still counted.
 * @param secret of the hashes: without it nobody can tell which IP address one stands for
 */
export function ipHashOf(sourceIp: string, secret: string): string {
  return createHmac('sha256', secret).update(networkOf(sourceIp)).digest('hex').slice(0, 32);
}

/** IPv4 as it stands; IPv6 as its first four groups; IPv4 mapped into IPv6 as IPv4. */
export function networkOf(sourceIp: string): string {
  const ip = sourceIp.trim().toLowerCase();
  if (!ip.includes(':')) return ip;
  // In a URL, every spelling of an IPv6 address becomes the same one: in hex, without leading zeros.
  const [head = '', tail] = (parseUrl(`http://[${ip}]`)?.hostname.slice(1, -1) ?? ip).split('::');
  const left = head.split(':');
  const right = tail ? tail.split(':') : [];
  const missing = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [head === '' ? '0' : left, tail === undefined ? [] : missing, right].flat();
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return `${groups.slice(0, 4).join(':')}::/64`;
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .map((bits) => `${bits >> 8}.${bits & 255}`)
    .join('.');
}
