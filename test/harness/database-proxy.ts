/** Stands between a node and PostgreSQL, and can lose what the database says, or let nobody in. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy {
  /** Connection string that goes through the proxy. */
  url: string;
  /** From now on the database hears everything and its answers are lost; `toQueries`: only those that come after the sign-in. */
  loseAnswers(which?: 'all' | 'toQueries'): void;
  /** Cuts all connections and lets nobody in. */
  shut(): void;
  /** As if nothing had ever been. */
  open(): void;
  /** Connections that are open now. */
  count(): number;
  close(): Promise<void>;
}

/** ReadyForQuery of PostgreSQL's protocol, version 3: the sign-in is over. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let lost: 'none' | 'all' | 'toQueries' = 'none';
  let isOpen = true;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((caller) => {
    if (!isOpen) return void caller.destroy();
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [caller, database]) keep(socket);
    caller.on('data', (bytes) => database.write(bytes));
    let ready = false;
    database.on('data', (bytes) => {
      if (lost === 'none' || (lost === 'toQueries' && !ready)) caller.write(bytes);
      ready ||= bytes.includes(READY);
    });
    caller.on('close', () => database.destroy());
    database.on('close', () => caller.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    loseAnswers(which = 'all') {
      lost = which;
    },
    shut() {
      isOpen = false;
      cut();
    },
    open() {
      lost = 'none';
      isOpen = true;
    },
    count: () => sockets.size / 2,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
