import { BlockList, isIP } from 'node:net';

/** How near an address is: this machine, a network that is not public, or anywhere. */
export type AddressReach = 'loopback' | 'private' | 'public';

const loopback = blocks(['127.0.0.0', 8], ['::1', 128]);

/** Private, shared, link-local and unique local networks, and "this host" (RFC 1918, 6598, 3927, 4291, 4193, 1122). */
const notPublic = blocks(
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::', 128],
  ['fc00::', 7],
  ['fe80::', 10],
);

/** Names that a local network gives (RFC 6762, 8375, 9476). */
const localName = /\.(?:local|internal|intranet|lan|home|corp|home\.arpa)$/;

/**
 * How near the host of a URL is, as far as the URL itself tells: no name is looked up. `undefined` where it is no URL,
 * since variables stand in it.
 */
export function reachOf(url: string): AddressReach | undefined {
  if (url.includes('${') || !URL.canParse(url)) {
    return undefined;
  }
  // The parser has turned every way to write an IPv4 address (`0x7f.1`, `2130706433`) into the usual one.
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const family = isIP(host);
  if (family > 0) {
    const kind = family === 6 ? 'ipv6' : 'ipv4';
    return loopback.check(host, kind) ? 'loopback' : notPublic.check(host, kind) ? 'private' : 'public';
  }
  if (host === 'localhost' || host.endsWith('.localhost')) {
    return 'loopback';
  }
  return !host.includes('.') || localName.test(host) ? 'private' : 'public';
}

function blocks(...subnets: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) {
    list.addSubnet(network, prefix, isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
