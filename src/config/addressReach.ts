import { BlockList, isIP } from 'node:net';

/** How near an address is: this machine, a network that is not public, or anywhere. */
export type AddressReach = 'loopback' | 'private' | 'public';

type Subnet = readonly [network: string, prefix: number];

const loopback: readonly Subnet[] = [
  ['127.0.0.0', 8],
  ['::1', 128],
];

/** Private, shared, link-local and unique local networks, and "this host" (RFC 1918, 6598, 3927, 4291, 4193, 1122). */
const notPublic: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::', 128],
  ['fc00::', 7],
  ['fe80::', 10],
];

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
  if (isIP(host) > 0) {
    return isIn(host, loopback) ? 'loopback' : isIn(host, notPublic) ? 'private' : 'public';
  }
  if (host === 'localhost' || host.endsWith('.localhost')) {
    return 'loopback';
  }
  return !host.includes('.') || localName.test(host) ? 'private' : 'public';
}

/**
 * The host that a URL leads to, where it is written in a way that a person could take for another one: foreign letters,
 * a name before `@`, signs that the parser leaves out. `undefined` where it stands there plainly, or it is no URL.
 */
export function disguisedHost(url: string): string | undefined {
  if (url.includes('${') || !URL.canParse(url)) {
    return undefined;
  }
  const { protocol, hostname } = new URL(url);
  const plain = `${protocol}//${hostname}`;
  const after = url.slice(plain.length);
  return url.toLowerCase().startsWith(plain) && /^(?![^/?#\\]*@)(?:$|[:/?#\\])/.test(after) ? undefined : hostname;
}

/** An IPv6 address that stands for an IPv4 address is in the subnets of that one. */
function isIn(host: string, subnets: readonly Subnet[]): boolean {
  const list = new BlockList();
  subnets.forEach(([network, prefix]) => list.addSubnet(network, prefix, familyOf(network)));
  return list.check(host, familyOf(host));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
