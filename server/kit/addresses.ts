/** Our own addresses, made from the configuration and never from what a caller says its host is. */
import type { Config } from './config.ts';

export interface Addresses {
  /** `https://example.com` or, with a sub-domain, `https://acme.example.com`; with the port where it is not the scheme's own. */
  origin(subDomain?: string): string;
  /** The sub-domain a request came to: '' at the root domain itself, undefined at a host that is not ours. */
  subDomainOf(hostname: string): string | undefined;
}

export function openAddresses(config: Pick<Config, 'appEnv' | 'rootDomain' | 'port'>, port: () => number = () => config.port): Addresses {
  const root = config.rootDomain.toLowerCase();
  return {
    origin(subDomain) {
      const host = subDomain ? `${subDomain}.${root}` : root;
      // In production a proxy ends TLS in front of us; elsewhere we are reached as we listen.
      return config.appEnv === 'production' ? `https://${host}` : `http://${host}:${port()}`;
    },
    subDomainOf(hostname) {
      const host = hostname.toLowerCase().replace(/:\d+$/, '');
      if (host === root) return '';
      return host.endsWith(`.${root}`) ? host.slice(0, -root.length - 1) : undefined;
    },
  };
}
