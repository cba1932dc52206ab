/** Identifies callers without a key by their IP address: IPv4 whole, IPv6 by its /64 network, only as a keyed hash. */

import { createHmac } from 'node:crypto';

/**
 * Keyed hash (128 bits, hex) of the part of an IP address that stands for one caller. Text that is no IP address is
 * hashed as it is, so that such a caller is still counted.
 */
export function ipHashOf(sourceIp: string, secret: string): string {
  return createHmac('sha256', secret).update(networkOf(sourceIp)).digest('hex').slice(0, 32);
}

/** IPv4 as it stands; IPv6 as its first four groups; IPv4 mapped into IPv6 as IPv4. */
export function networkOf(sourceIp: string): string {
  const ip = sourceIp.trim().toLowerCase().split('%')[0] as string;
  if (!ip.includes(':')) return ip;
  const groups = expand(ip);
  return mappedIpv4(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** The IPv4 address in `::ffff:0:0/96`, or `undefined` for every other network. */
function mappedIpv4(groups: readonly string[]): string | undefined {
  if (groups.length !== 8 || groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .map((bits) => `${bits >> 8}.${bits & 255}`)
    .join('.');
}

/** The eight groups of an IPv6 address without leading zeros. */
function expand(ip: string): string[] {
  const [head = '', tail] = inHex(ip).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(missing).fill('0'), ...right].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  );
}

/** An IP address whose last 32 bits are written as IPv4, with two groups in their place. */
function inHex(ip: string): string {
  return ip.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
}
