/** A file handed in as the console does it: started, sent in parts, begun; and waited for. */
import type { ImportKind, ImportSettings } from '#contract/import.ts';
import { isOver, JOB_PART_BYTES, type JobView } from '#contract/job.ts';
import type { Visitor } from './visitor.ts';

export interface ImportSpec {
  kind: ImportKind;
  listId?: string;
  settings?: Partial<ImportSettings>;
  body: string | Buffer;
  partBytes?: number;
}

const COLUMN: Record<ImportKind, string> = { suppressionImport: 'value', bankImport: 'code', binImport: 'first' };

/** The job's id; it is under way. */
export async function startImport(visitor: Visitor, spec: ImportSpec): Promise<string> {
  const settings = { mode: 'add', delimiter: ',', hasHeader: false, columns: { [COLUMN[spec.kind]]: 0 }, ...spec.settings };
  const started = await visitor.post('/api/v1/imports', { kind: spec.kind, listId: spec.listId, name: 'file.csv', settings });
  if (started.statusCode !== 200) throw new Error(JSON.stringify(started.json));
  const { jobId } = started.json as { jobId: string };
  const bytes = Buffer.from(spec.body as string);
  const size = spec.partBytes ?? JOB_PART_BYTES;
  const parts = Math.max(1, Math.ceil(bytes.length / size));
  for (let part = 0; part < parts; part++) {
    const headers = { 'content-type': 'application/octet-stream' };
    const sent = await visitor.post(`/api/v1/jobs/${jobId}/parts/${part}`, bytes.subarray(part * size, (part + 1) * size), { headers });
    if (sent.statusCode !== 200) throw new Error(JSON.stringify(sent.json));
  }
  const begun = await visitor.post(`/api/v1/jobs/${jobId}/go`, { parts });
  if (begun.statusCode !== 200) throw new Error(JSON.stringify(begun.json));
  return jobId;
}

export interface EndedImport {
  job: JobView;
  errors: { line: number; message: string }[];
}

export async function waitForJob(visitor: Visitor, jobId: string, withinMs = 20_000): Promise<EndedImport> {
  for (const end = Date.now() + withinMs; ; ) {
    const { json } = await visitor.get(`/api/v1/jobs/${jobId}`);
    if (isOver(json.job.status)) return json as EndedImport;
    if (Date.now() > end) throw new Error(`The job is still ${json.job.status}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const importFile = async (visitor: Visitor, spec: ImportSpec, withinMs?: number): Promise<EndedImport> =>
  waitForJob(visitor, await startImport(visitor, spec), withinMs);
