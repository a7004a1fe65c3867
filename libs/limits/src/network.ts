import { isIPv6 } from 'node:net';

/**
 * The part of an address that stands for one household or office: an IPv4 address (also written as ::ffff:…), or the first
 * 64 bits of an IPv6 address, whose owner chooses the rest freely.
 */
export function networkOf(address: string): string {
  const [withoutZone = ''] = address.split('%', 1);
  if (!isIPv6(withoutZone)) return address;
  const groups = groupsOf(withoutZone);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of 16 bits. */
function groupsOf(address: string): number[] {
  // The URL parser reads every way to write an address and returns one form, in which `::` may stand for zeros.
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [head, tail] = [left, right].map((part) =>
    part === '' ? [] : part.split(':').map((hex) => Number.parseInt(hex, 16)),
  );
  return [...(head ?? []), ...Array<number>(8 - (head?.length ?? 0) - (tail?.length ?? 0)).fill(0), ...(tail ?? [])];
}

const bytesOf = (group: number) => [group >> 8, group & 0xff];
