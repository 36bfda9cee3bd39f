import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { HANDED_IN_SILENT_MINUTES, JOB_PART_BYTES, JOB_PARTS_MOST, type JobView } from '#contract/job.ts';
import { formatCount } from '#web/ui/format.ts';
import { toast } from '#web/ui/toast.ts';
import { jobPartsQuery, jobQuery, OtherFile, sendFile } from '../api/job.ts';
import { failureText, message } from '../message.ts';
import { FileDrop } from './FileDrop.tsx';

/** An import whose file did not come to its end: the same file is chosen again, and what is missing of it is sent. */
export function GoOnSending({ job }: { job: JobView }) {
  const [share, setShare] = useState(0);
  const client = useQueryClient();
  const kept = useQuery(jobPartsQuery(job._id));
  const bytes = kept.data?.parts.reduce((sum, part) => sum + part.bytes, 0) ?? 0;
  const send = useMutation({
    mutationFn: async (file: File) => {
      if (file.name.slice(0, 200) !== job.name || file.size > JOB_PART_BYTES * JOB_PARTS_MOST) throw new OtherFile();
      await sendFile(job._id, file, setShare);
    },
    onSuccess: () => void toast('success', message('importStarted')),
    onSettled: () => client.invalidateQueries({ queryKey: jobQuery(job._id).queryKey }),
  });
  return (
    <div className="form-stack go-on-sending">
      <p className="muted small">
        {bytes > 0 ? `${formatCount(Math.ceil(bytes / 1024))} KiB are here. ` : ''}
        If its page was closed or the line broke, choose the same file again: what is here is not sent twice. An upload of which nothing
        comes for {HANDED_IN_SILENT_MINUTES} minutes ends.
      </p>
      <FileDrop
        label="The same file again"
        button={`Choose ${job.name} again`}
        size="xs"
        isPending={send.isPending}
        onFile={(file) => send.mutate(file)}
      >
        {send.isPending && (
          <span className="muted small" role="status">
            {Math.round(share * 100)}% sent
          </span>
        )}
        {send.error && (
          <span className="bad small" role="alert">
            {send.error instanceof OtherFile
              ? `That is not the file that was being sent. Choose ${job.name} as it was, or cancel this import and begin anew.`
              : failureText(send.error, 'Import')}
          </span>
        )}
      </FileDrop>
    </div>
  );
}
