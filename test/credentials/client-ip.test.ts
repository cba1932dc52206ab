/** Requests of one IPv4 address or of one IPv6 /64 network count together. */

import { findNetwork, hashIp } from '../../lambda/credentials/client-ip';

describe('findNetwork', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    [' 203.0.113.9 ', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
    ['0000:0000:0000:0000:0000:ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['FE80::1%25en0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['', ''],
    ['unknown', 'unknown'],
  ])('the network of %s is %s', (address, network) => expect(findNetwork(address)).toBe(network));
});

describe('hashIp', () => {
  test('the hash of an IP address differs with the address and the secret', () => {
    const hash = hashIp('203.0.113.9', 'secret');
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    // Counters are found by it.
    for (const same of ['203.0.113.9', '::ffff:203.0.113.9']) expect(hashIp(same, 'secret')).toBe(hash);
    expect(hashIp('203.0.113.9', 'other')).not.toBe(hash);
    expect(hashIp('203.0.113.10', 'secret')).not.toBe(hash);
  });
});
