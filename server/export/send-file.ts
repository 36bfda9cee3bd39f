/** Hands a whole file over to where a feed goes: by HTTP, SFTP or mail. What it says is for people, and holds nothing of a lead. */
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '#contract/endpoint.signature.ts';
import { type ExportFormat, type FeedDestination, FILE_MOST } from '#contract/export.ts';
import type { Outbound } from '#server/delivery/outbound.ts';
import type { AllowList } from '#server/delivery/outbound-address.ts';
import type { Resolve } from '#server/delivery/outbound-connect.ts';
import { signatureOfParts } from '#server/delivery/sign-request.ts';
import { keyedHash, type OrganizationKeys } from '#server/kit/crypto.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { saidBy } from '#server/webhook/webhook-message.ts';
import type { FeedSecrets } from './export-feed.model.ts';
import { sendBySftp } from './send-sftp.ts';

/** Ways out of this installation. */
export interface Ways {
  outbound: Outbound;
  mailer: Pick<Mailer, 'send'>;
  allow: AllowList;
  resolve?: Resolve;
  /** How long a call with a file may take, and an SFTP server beside the time that its bytes need; two minutes. */
  fileTimeMs?: number;
}

export interface FileToSend {
  feedId: string;
  feedName: string;
  /** The same at every try: whoever gets it twice knows by it. */
  runId: string;
  name: string;
  format: ExportFormat;
  rows: number;
  bytes: number;
  read: () => AsyncIterable<Buffer>;
  destination: FeedDestination;
  secrets: FeedSecrets;
  /** What signs calls. */
  signing: string;
  /** Addresses that have it already. */
  taken: readonly string[];
  /** An address has it. */
  onTaken: (address: string) => Promise<void>;
  /** The node that tried before was lost while it was at it. */
  wasCutOff: boolean;
  now: number;
}

export interface Sent {
  /** In words; null where it is there. */
  failure: string | null;
  /** Nothing is gained by trying again as it is. */
  isFinal?: boolean;
  /** It may be there although nobody said so, or twice. */
  isUncertain?: boolean;
  /** What the one who looks should know. */
  remark?: string;
}

const FILE_TIME_MS = 120_000;
export const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

/** Made from the organization's key, and kept nowhere. */
export const feedSigningOf = (keys: OrganizationKeys, feedId: string, epoch: number): string =>
  `fsec_${[1, 2].map((part) => keyedHash(keys, 'export feed', `${feedId} ${epoch} ${part}`).replaceAll('-', '')).join('')}`;

export async function sendFile(ways: Ways, file: FileToSend): Promise<Sent> {
  const most = FILE_MOST[file.destination.kind];
  if (file.bytes > most)
    return {
      failure: `The file has ${inMegabytes(file.bytes)}; ${WAYS[file.destination.kind]} takes ${inMegabytes(most)}. ${SMALLER}`,
      isFinal: true,
    };
  switch (file.destination.kind) {
    case 'http':
      return sendByHttp(ways, file, file.destination.url);
    case 'sftp':
      return sendBySftp(ways, file, file.destination);
    case 'mail':
      return sendByMail(ways, file, file.destination.to);
  }
}

const WAYS = { http: 'a call', sftp: 'SFTP', mail: 'a mail' } as const;
const SMALLER = 'Run the feed more often, give it fewer columns, or choose SFTP.';
const inMegabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

async function whole(parts: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString('utf8');
}

async function sendByHttp({ outbound, fileTimeMs = FILE_TIME_MS }: Ways, file: FileToSend, url: string): Promise<Sent> {
  const seconds = Math.floor(file.now / 1000);
  // Read twice, for the signature stands before the file: whole, a few of them would be all of a node's memory.
  const request = { method: 'POST', url, headers: fileHeaders(file, seconds, await signatureOfParts(file.signing, seconds, file.read())) };
  const reading = watchReading(file.read);
  const upload = { bytes: file.bytes, read: reading.read };
  const result = await outbound.call({ request, upload, timeoutMs: fileTimeMs, bulkhead: `feed ${file.feedId}` });
  if (reading.failure() !== undefined) throw reading.failure();
  const { taken, failure } = saidBy(result);
  const twice = `It may have come twice; x-sluice-delivery ${file.runId} is the same both times.`;
  if (taken) return { failure: null, ...(file.wasCutOff && { remark: twice }) };
  return { failure, isUncertain: result.kind === 'failure' && result.sent, ...(file.wasCutOff && { remark: twice }) };
}

/** What goes wrong while our own file is read is no fault of the other side's; that it is read no further, because a call is over, is no failure. */
function watchReading(read: () => AsyncIterable<Buffer>) {
  let failure: unknown;
  async function* watched(): AsyncGenerator<Buffer> {
    const parts = read()[Symbol.asyncIterator]();
    const next = () =>
      parts.next().catch((error: unknown) => {
        failure = error;
        throw error;
      });
    try {
      for (let part = await next(); !part.done; part = await next()) yield part.value;
    } finally {
      await parts.return?.();
    }
  }
  return { read: watched, failure: () => failure };
}

/** `seconds` since 1970, and the signature made of them. */
export const fileHeaders = (
  { runId, name, format, rows }: Pick<FileToSend, 'runId' | 'name' | 'format' | 'rows'>,
  seconds: number,
  signature: string,
) => ({
  'content-type': CONTENT_TYPES[format],
  'content-disposition': `attachment; filename="${name}"`,
  'user-agent': 'Sluice-Feed/1',
  'x-sluice-delivery': runId,
  'x-sluice-rows': String(rows),
  [TIMESTAMP_HEADER]: String(seconds),
  [SIGNATURE_HEADER]: `v1=${signature}`,
});

async function sendByMail({ mailer }: Ways, file: FileToSend, to: readonly string[]): Promise<Sent> {
  const content = await whole(file.read());
  let isUncertain = false;
  for (const address of to.filter((one) => !file.taken.includes(one))) {
    const { reply } = mailer.send({
      ...{ to: address, copyTo: [], subject: file.name },
      text: `${file.rows} ${file.rows === 1 ? 'lead' : 'leads'} of the feed ${file.feedName}. Delivery ${file.runId}.`,
      attachment: { name: file.name, content, contentType: CONTENT_TYPES[file.format] },
    });
    const said = await reply;
    if (said.kind === 'reply' && said.code >= 200 && said.code < 300) {
      await file.onTaken(address);
      continue;
    }
    isUncertain ||= said.kind === 'failure' && said.sent;
    return {
      failure: said.kind === 'reply' ? `The mail server said to ${address}: ${said.text}` : `No mail server took it (${said.detail}).`,
      isUncertain,
    };
  }
  return { failure: null, ...(file.wasCutOff && { remark: `It may have come twice; delivery ${file.runId} is the same both times.` }) };
}
