import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExportContent } from '#contract/export.ts';
import { type Period, PeriodChip } from '#web/ui/PeriodChip.tsx';
import { customInstants, type InstantRange, spanInstants, spans } from '#web/ui/period.ts';
import { ReasonField } from '#web/ui/ReasonField.tsx';
import { useReporting } from '#web/ui/reporting.tsx';
import { toast } from '#web/ui/toast.ts';
import { exportColumnsQuery, startExport } from '../api/export.ts';
import { failureText } from '../message.ts';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { readTimeSpan, rememberTimeSpan } from '../time-span.ts';
import { ContentFields } from './ContentFields.tsx';
import { FIRST_COLUMNS } from './export-words.ts';
import '../set-up/record-form.css';

export const startContent = (timeZone: ExportContent['timeZone']): ExportContent => ({
  ...{ outcome: 'all', publisherId: null, publisherTierId: null, buyerId: null, buyerTierId: null, campaignId: null },
  ...{ columns: FIRST_COLUMNS, format: 'csv', timeZone, unmasked: false },
});

function firstPeriod(): Period {
  const { timespan, startDate, endDate } = readTimeSpan();
  return { period: timespan, from: startDate || undefined, to: endDate || undefined };
}

/** Leads of a span, as a file, now. */
export function ExportForm() {
  const { place } = usePlaceIds();
  const { zone } = useReporting();
  const navigate = useNavigate();
  const [period, setPeriod] = useState(firstPeriod);
  const [content, setContent] = useState<ExportContent>(() => startContent(zone));
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const offered = useQuery(exportColumnsQuery(place));
  const isPersonal = content.unmasked && (offered.data?.columns ?? []).some((one) => one.personal && content.columns.includes(one.value));
  const start = useMutation({
    mutationFn: () =>
      startExport({ ...place, ...instantsOf(period), content: { ...content, unmasked: isPersonal }, reason: isPersonal ? reason : '' }),
    onSuccess: ({ jobId, msg }) => {
      void toast('success', msg);
      void navigate({ to: '/$id/trackProcess', params: { id: jobId } });
    },
  });
  function instantsOf({ period: span = 'today', from, to }: Period): InstantRange {
    return span === 'customRange' ? customInstants(from ?? '', to ?? '', zone) : spanInstants(span, Date.now(), zone);
  }
  const noColumns = content.columns.length === 0 ? 'Choose at least one column.' : undefined;
  const noReason = isPersonal && reason.trim() === '' ? 'Say why.' : undefined;
  const submit = () => {
    setTried(true);
    if (!noColumns && !noReason && !start.isPending) start.mutate();
  };
  return (
    <form
      className="form-stack record-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FormSection title="When they came">
        <div className="export-period">
          <PeriodChip
            presets={spans}
            value={period}
            onChange={(next) => {
              const span = next.period ?? 'today';
              rememberTimeSpan({ timespan: span, startDate: next.from ?? '', endDate: next.to ?? '' });
              setPeriod({ ...next, period: span });
            }}
          />
        </div>
      </FormSection>
      <ContentFields value={content} onChange={setContent} columnsError={isTried && noColumns} />
      {isPersonal && (
        <ReasonField
          label="Why persons are needed as they are"
          says="It stands in the change log, with how many there were."
          value={reason}
          error={isTried && noReason}
          onChange={setReason}
        />
      )}
      <div className="row record-form-end">
        <Button type="submit" loading={start.isPending}>
          Export now
        </Button>
        {start.isError && (
          <span className="bad small" role="alert">
            {failureText(start.error, 'Export')}
          </span>
        )}
      </div>
    </form>
  );
}
