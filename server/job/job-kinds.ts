/** Every kind of background job there is. */
import { bankImport } from '#server/bank/import-bank.job.ts';
import { binImport } from '#server/bin/import-bin.job.ts';
import { erasure } from '#server/data-request/erase.job.ts';
import { exportJob } from '#server/export/export.job.ts';
import { suppressionImport } from '#server/suppression/import-list.job.ts';
import type { JobKind } from './job-kind.ts';

export const JOB_KINDS: readonly JobKind[] = [suppressionImport, bankImport, binImport, erasure, exportJob];
