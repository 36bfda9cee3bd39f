/** One plain connection to where a tenant chose, for what is not HTTP: checked and pinned as by the HTTP client (engine "Outbound safety"). */
import { connect, isIP, type Socket } from 'node:net';
import { type AllowList, whyRefused } from './outbound-address.ts';
import { AddressRefused, checkedLookup, type Resolve, systemResolve } from './outbound-connect.ts';

export interface SocketTarget {
  host: string;
  port: number;
  /** Those that need no exception in OUTBOUND_ALLOW. */
  ports: readonly number[];
  allow: AllowList;
  timeoutMs: number;
  resolve?: Resolve | undefined;
}

/** Every address of the name is judged, only a judged one is dialled, and the socket's own is judged once more. Rejects with AddressRefused, or as the system does. */
export function connectSocket({ host, port, ports, allow, timeoutMs, resolve = systemResolve }: SocketTarget): Promise<Socket> {
  const check = (address: string) => whyRefused({ host, port, address }, allow, ports);
  const refused = isIP(host) ? check(host) : undefined;
  if (refused) return Promise.reject(new AddressRefused(refused));
  return new Promise((done, reject) => {
    const socket = connect({ host, port, autoSelectFamily: true, lookup: checkedLookup(resolve, check) });
    const timer = setTimeout(() => socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })), timeoutMs);
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      const why = socket.remoteAddress === undefined ? 'unknown address' : check(socket.remoteAddress);
      if (!why) return done(socket);
      socket.destroy();
      reject(new AddressRefused(why));
    });
  });
}
