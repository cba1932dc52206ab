/** Separates public IP addresses from those of networks that only the service itself could reach. */

import { BlockList, isIPv4, isIPv6 } from 'node:net';

// The special-purpose registries of IANA: https://www.iana.org/assignments/iana-ipv4-special-registry and
// https://www.iana.org/assignments/iana-ipv6-special-registry.
const closedIpv4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
/** Parts of 2000::/3 that lead elsewhere: tunnels, benchmarks, documentation. */
const closedIpv6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const closed = new BlockList();
for (const [family, networks] of [
  ['ipv4', closedIpv4],
  ['ipv6', closedIpv6],
] as const)
  for (const network of networks.split(' ')) {
    const [address = '', prefix] = network.split('/');
    closed.addSubnet(address, Number(prefix), family);
  }
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is one of the public internet; any other text is not. */
export function isPublicIp(ip: string): boolean {
  if (isIPv4(ip)) return !closed.check(ip, 'ipv4');
  return isIPv6(ip) && globalUnicast.check(ip, 'ipv6') && !closed.check(ip, 'ipv6');
}
