import { BlockList, isIP } from 'node:net';
import type { Peer } from './connectError.js';

/**
 * Whether an entry of `http.noProxy` or `NO_PROXY` names this peer: `*`, a host with all names below it (with or without a
 * leading dot or `*.`), an address, a range of addresses (CIDR), each with or without a port.
 */
export function isExempt(entries: readonly string[], peer: Peer): boolean {
  return entries.some((entry) => names(entry.trim().toLowerCase(), peer));
}

/** The entries of `NO_PROXY`. */
export function entriesOf(noProxy: string | undefined): readonly string[] {
  return (noProxy ?? '').split(/[\s,;]+/).filter((entry) => entry !== '');
}

function names(entry: string, peer: Peer): boolean {
  if (entry === '*') {
    return true;
  }
  const [, name = '', port] = /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const wanted = name.replace(/^\[(.*)\]$/, '$1').replace(/^\*?\./, '');
  if (wanted === '' || (port !== undefined && Number(port) !== peer.port)) {
    return false;
  }
  const host = peer.host.toLowerCase();
  return host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`)) || isInRange(wanted, host);
}

function isInRange(range: string, host: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const version = isIP(network);
  if (version === 0 || version !== isIP(host) || !/^\d+$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(network, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
