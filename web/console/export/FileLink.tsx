import { Button } from '@mantine/core';
import type { ExportFileView } from '#contract/export.ts';
import { sayBytes, whyNoFile } from '#contract/export-words.ts';
import { IconDownload } from '#web/ui/icons.ts';
import { downloadCsv } from '../download-csv.ts';

/** The file of an export, or why there is none any more. */
export function FileLink({ jobId, file }: { jobId: string; file: ExportFileView }) {
  const why = whyNoFile(file);
  if (why) return <span className="muted">{why}</span>;
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
