import { Button, Checkbox, FileButton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportAnswer } from '#contract/configuration-document.ts';
import { DOCUMENT_MAX_BYTES } from '#contract/document-size.ts';
import { IconDownload } from '#web/ui/icons.ts';
import { toast } from '#web/ui/toast.ts';
import { getJson, postJson } from '../api/client.ts';
import { message } from '../message.ts';
import { useRecordsChanged } from '../set-up/records-changed.ts';

/** A file that is laid out for people holds the same in more bytes. */
const FILE_MAX_BYTES = 8 * DOCUMENT_MAX_BYTES;

/** Moving in and out: the whole set-up as one JSON document; an import is rehearsed before it changes anything. */
export function ConfigurationCard({ organization }: { organization: string }) {
  const [held, setHeld] = useState<unknown>(null);
  const [withSamples, setWithSamples] = useState(true);
  const client = useQueryClient();
  const changed = useRecordsChanged();
  const take = useMutation({
    mutationFn: ({ chosen, dryRun }: { chosen: unknown; dryRun: boolean }) =>
      postJson<ImportAnswer>('/api/v1/configuration/import', { document: chosen, dryRun }),
    onSuccess: async ({ msg }, { dryRun }) => {
      if (dryRun) return;
      setHeld(null);
      void toast('success', msg);
      await client.invalidateQueries();
      await changed('region');
    },
  });
  const save = useMutation({
    mutationFn: () => getJson<object>(`/api/v1/configuration/export?samples=${withSamples}`),
    onSuccess: (found) => saveJson(`${organization.replace(/\W+/g, '-').toLowerCase()}-configuration.json`, found),
    onError: (error) => void toast('error', error.message),
  });
  const choose = async (file: File | null) => {
    take.reset();
    if (!file) return;
    if (file.size > FILE_MAX_BYTES) return void toast('error', message('fileTooLarge'));
    const chosen = await readJson(file);
    if (chosen === undefined) return void toast('error', message('fileNotJson'));
    if (new Blob([JSON.stringify(chosen)]).size > DOCUMENT_MAX_BYTES) return void toast('error', message('fileTooLarge'));
    setHeld(chosen);
    take.mutate({ chosen, dryRun: true });
  };
  return (
    <section className="card card-pad form-stack" aria-label="Configuration">
      <div>
        <strong>Configuration</strong>
        <p className="muted small" style={{ margin: '2px 0 0' }}>
          Regions, verticals, services, publishers, buyers, tiers, campaigns and contacts as one JSON document, without secrets and keys. An
          import adds what is not there yet.{' '}
          <a className="link" href="/docs#/console/post_api_v1_configuration_import" target="_blank" rel="noreferrer">
            What a document holds, and what an import does
          </a>
        </p>
      </div>
      <Checkbox
        label="Export the samples of buyer tiers, too"
        checked={withSamples}
        onChange={(event) => setWithSamples(event.currentTarget.checked)}
      />
      <span className="row">
        <Button
          variant="default"
          size="sm"
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          Export
        </Button>
        <FileButton accept="application/json,.json" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} variant="default" size="sm" loading={take.isPending}>
              Import…
            </Button>
          )}
        </FileButton>
      </span>
      {take.error && (
        <div className="form-alert" role="alert">
          {take.error.message}
        </div>
      )}
      {take.data && <Summary answer={take.data} />}
      {held !== null && take.data && (
        <span className="row">
          <Button size="sm" onClick={() => take.mutate({ chosen: held, dryRun: false })}>
            Import now
          </Button>
          <Button
            size="sm"
            variant="default"
            onClick={() => {
              setHeld(null);
              take.reset();
            }}
          >
            Not now
          </Button>
        </span>
      )}
    </section>
  );
}

const words = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([model, count]) => `${count} ${model.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}${count === 1 ? '' : 's'}`)
    .join(', ') || 'nothing';

function Summary({ answer: { msg, added, kept, notes } }: { answer: ImportAnswer }) {
  return (
    <div className="form-note" role="status">
      <p>
        {msg} New: {words(added)}. There already: {words(kept)}.
      </p>
      {notes.length > 0 && (
        <ul>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

async function readJson(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text());
  } catch {
    return undefined;
  }
}

function saveJson(name: string, value: object): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
