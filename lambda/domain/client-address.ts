/** The address by which callers without a key are counted: IPv4 whole, IPv6 by its /64 network, only ever as a keyed hash. */

import { createHmac } from 'node:crypto';

/**
 * Keyed hash (128 bits, hex) of the part of an address that stands for one caller. Text that is no address is hashed
 * as it is, so that a caller with a strange address is still counted.
 */
export function addressHashOf(sourceIp: string, secret: string): string {
  return createHmac('sha256', secret).update(networkOf(sourceIp)).digest('hex').slice(0, 32);
}

/** IPv4 as it stands; IPv6 as its first four groups; IPv4 mapped into IPv6 as IPv4. */
export function networkOf(sourceIp: string): string {
  const address = sourceIp.trim().toLowerCase().split('%')[0] as string;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (mapped) return mapped[1] as string;
  if (!address.includes(':')) return address;
  return `${expand(address).slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address without leading zeros. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(missing).fill('0'), ...right].map((group) => group.replace(/^0+(?=.)/, ''));
}
