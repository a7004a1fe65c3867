import { BlockList, isIP } from 'node:net';

/**
 * Ranges that are not globally reachable unicast, by the IANA registries of special-purpose addresses; also IPv6 ranges that lead to
 * an IPv4 address written into them, and deprecated ranges.
 */
const notGlobal = {
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    // Multicast, reserved, broadcast.
    '224.0.0.0/3',
  ],
  ipv6: [
    // Teredo, benchmarking, ORCHID and the rest of the protocol assignments.
    '2001::/23',
    '2001:db8::/32',
    // 6to4.
    '2002::/16',
    '2620:4f:8000::/48',
    '3fff::/20',
  ],
} as const;

const outside = new BlockList();
/** All of global unicast. Loopback, mapped, NAT64, link-local, unique local and multicast addresses are beyond it. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
for (const family of ['ipv4', 'ipv6'] as const) {
  for (const block of notGlobal[family]) {
    const [address = '', bits] = block.split('/');
    outside.addSubnet(address, Number(bits), family);
  }
}

/** Whether anybody may make us send to this address. False if it is no address. */
export function isGlobal(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !outside.check(address, 'ipv4');
    case 6:
      return globalUnicast.check(address, 'ipv6') && !outside.check(address, 'ipv6');
    default:
      return false;
  }
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** 127.0.0.0/8 and ::1, and no other form of them. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || (family === 6 && address.includes('.')) || address.toLowerCase().startsWith('::ffff:'))
    return false;
  return loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
