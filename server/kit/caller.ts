/** Who calls, as far as an address tells. */
import ipaddr from 'ipaddr.js';

/**
 * What a limit counts for one caller: an IPv4 address, or the /64 that an IPv6 caller can choose addresses from at will.
 * However it is spelled; what is no address (a proxy may forward anything) counts as one caller.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unreadable';
  const read = ipaddr.process(address);
  if (read.kind() === 'ipv4') return read.toString();
  return `${(read as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
