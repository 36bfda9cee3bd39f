import { Button } from '@mantine/core';
import type { ExportFileView } from '#contract/export.ts';
import { IconDownload } from '#web/ui/icons.ts';
import { downloadCsv } from '../download-csv.ts';
import { sayBytes } from './export-words.ts';

const GONE = {
  making: 'Not whole',
  expired: 'Deleted after its days',
  erased: 'Deleted: a person in it was erased',
} as const;

/** The file of an export, or why there is none any more. */
export function FileLink({ jobId, file }: { jobId: string; file: ExportFileView }) {
  if (file.gone) return <span className="muted">{GONE[file.gone]}</span>;
  if (!file.mayDownload) return <span className="muted">Holds persons as they are; not for you</span>;
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => downloadCsv('export', { jobId })}
    >
      Download ({sayBytes(file.bytes)})
    </Button>
  );
}
