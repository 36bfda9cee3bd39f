/** Stands between a node and PostgreSQL, and can lose what the database says, or let nobody in. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy {
  /** Connection string that goes through the proxy. */
  url: string;
  /** From now on the database hears everything and its answers are lost. */
  loseAnswers(): void;
  /** Cuts all connections and lets nobody in. */
  shut(): void;
  /** As if nothing had ever been. */
  open(): void;
  /** Connections that are open now. */
  count(): number;
  close(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let answers = true;
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
    database.on('data', (bytes) => answers && caller.write(bytes));
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
    loseAnswers() {
      answers = false;
    },
    shut() {
      isOpen = false;
      cut();
    },
    open() {
      answers = true;
      isOpen = true;
    },
    count: () => sockets.size / 2,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
