/** The identity of a caller without a key: a keyed hash of its IPv4 address or IPv6 /64 network. */

import { createHmac } from 'node:crypto';
import type { Deadline } from '../base/deadline';
import { parseUrl } from '../base/parse';

export interface AddressServices {
  readonly readAddressKey: (deadline: Deadline) => Promise<string>;
}

/** Hashes the network of an IP address with a secret. The result has 128 bits, in hex. */
export function hashIp(sourceIp: string, secret: string): string {
  return createHmac('sha256', secret).update(findNetwork(sourceIp)).digest('hex').slice(0, 32);
}

/** Finds the network of an address: IPv4 as it is, IPv6 as four groups, mapped IPv4 as IPv4. */
export function findNetwork(sourceIp: string): string {
  const ip = sourceIp.trim().toLowerCase();
  if (!ip.includes(':')) return ip;
  // `URL` writes every spelling of an IPv6 address in one form: in hex, without leading zeros.
  const [head = '', tail] = (parseUrl(`http://[${ip}]`)?.hostname.slice(1, -1) ?? ip).split('::');
  const groupsBefore = head.split(':');
  const groupsAfter = tail ? tail.split(':') : [];
  const zeroGroups = Array<string>(Math.max(0, 8 - groupsBefore.length - groupsAfter.length)).fill('0');
  const groups = [head === '' ? '0' : groupsBefore, tail === undefined ? [] : zeroGroups, groupsAfter].flat();
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return `${groups.slice(0, 4).join(':')}::/64`;
  const halves = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return halves.map((bits) => `${bits >> 8}.${bits & 255}`).join('.');
}
