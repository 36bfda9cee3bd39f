/** An SFTP server on loopback that keeps its files in memory and does as a test says: a real conversation by SSH. */
import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import ssh2, { type SFTPWrapper } from 'ssh2';
import { fingerprintOf } from '#server/export/send-sftp.ts';

export interface SftpServer {
  port: number;
  fingerprint: string;
  files: Map<string, Buffer>;
  /** What it was asked to do, in order: 'open a', 'rename a b' ... */
  acts: string[];
  /** Users that tried, and how. */
  tries: string[];
  /** Called before a rename is done; what it throws ends the connection. */
  onRename: (from: string, to: string) => void | Promise<void>;
  readOnly: boolean;
  close(): Promise<void>;
}

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

export async function startSftp({
  user = 'feed',
  password = 'open sesame',
  publicKey,
}: {
  user?: string;
  password?: string;
  publicKey?: string;
} = {}): Promise<SftpServer> {
  const hostKey = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;
  const parsed = ssh2.utils.parseKey(hostKey);
  if (parsed instanceof Error) throw parsed;
  const known = publicKey === undefined ? undefined : ssh2.utils.parseKey(publicKey);
  const self: SftpServer = {
    port: 0,
    fingerprint: fingerprintOf(parsed.getPublicSSH()),
    files: new Map(),
    acts: [],
    tries: [],
    onRename: () => {},
    readOnly: false,
    close: () =>
      new Promise((resolve) => {
        for (const one of clients) one.end();
        server.close(() => resolve());
      }),
  };
  const clients = new Set<{ end(): void }>();
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    clients.add(client);
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
    client.on('authentication', (context) => {
      self.tries.push(`${context.username} ${context.method}`);
      if (context.username !== user) return context.reject(['password', 'publickey']);
      if (context.method === 'password' && context.password === password) return context.accept();
      if (context.method === 'publickey' && known && !(known instanceof Error)) {
        const isIt = known.getPublicSSH().equals(context.key.data);
        const isSigned = !context.signature || known.verify(context.blob!, context.signature, context.hashAlgo) === true;
        if (isIt && isSigned) return context.accept();
      }
      context.reject(['password', 'publickey']);
    });
    client.on('ready', () => client.on('session', (accept) => accept().on('sftp', (take) => serve(take(), client))));
  });

  function serve(sftp: SFTPWrapper, client: { end(): void }): void {
    const open = new Map<number, string>();
    let next = 0;
    sftp.on('OPEN', (id, path, flags) => {
      self.acts.push(`open ${path}`);
      if (self.readOnly) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
      if (path.startsWith('nowhere/')) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      if (flags & OPEN_MODE.TRUNC || !self.files.has(path)) self.files.set(path, Buffer.alloc(0));
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(next);
      open.set(next++, path);
      sftp.handle(id, handle);
    });
    sftp.on('WRITE', (id, handle, offset, data) => {
      const path = open.get(handle.readUInt32BE(0))!;
      const before = self.files.get(path)!;
      const after = Buffer.alloc(Math.max(before.length, offset + data.length));
      before.copy(after);
      data.copy(after, offset);
      self.files.set(path, after);
      sftp.status(id, STATUS_CODE.OK);
    });
    sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
    sftp.on('STAT', (id, path) => {
      const file = self.files.get(path);
      if (!file) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      sftp.attrs(id, { mode: 0o100644, uid: 0, gid: 0, size: file.length, atime: 0, mtime: 0 });
    });
    sftp.on('REMOVE', (id, path) => {
      self.acts.push(`remove ${path}`);
      sftp.status(id, self.files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE);
    });
    sftp.on('RENAME', async (id, from, to) => {
      self.acts.push(`rename ${from} ${to}`);
      try {
        await self.onRename(from, to);
      } catch {
        return client.end();
      }
      const file = self.files.get(from);
      if (!file || self.files.has(to)) return sftp.status(id, STATUS_CODE.FAILURE);
      self.files.set(to, file);
      self.files.delete(from);
      sftp.status(id, STATUS_CODE.OK);
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  self.port = (server.address() as AddressInfo).port;
  return self;
}
