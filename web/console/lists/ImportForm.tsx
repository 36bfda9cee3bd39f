import { Button, Checkbox, NativeSelect, SegmentedControl, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { FIXED_WIDTHS, isFixedWidth } from '#contract/fixed-width.ts';
import {
  columnProblem,
  type Delimiter,
  type GuessedImport,
  guessImport,
  IMPORT_COLUMNS,
  type ImportKind,
  type ImportMode,
  type ImportSettings,
  layoutProblem,
  MOST_COLUMNS,
  splitLine,
} from '#contract/import.ts';
import { JOB_PART_BYTES, JOB_PARTS_MOST } from '#contract/job.ts';
import { decodeFile, whyNoText } from '#contract/text-file.ts';
import { formatCount } from '#web/ui/format.ts';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { toast } from '#web/ui/toast.ts';
import { beginImport, sendFile } from '../api/job.ts';
import { recordsQuery } from '../api/record.ts';
import { failureText, message } from '../message.ts';
import { COUNTRY } from '../set-up/country.ts';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { FileDrop } from './FileDrop.tsx';
import { DESPITE_ERRORS, entryWords, MODES, REPLACE_SPARES } from './list-words.ts';
import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import '../set-up/record-form.css';
import '../endpoint/sample.css';

const SAMPLE_BYTES = 64 * 1024;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];
const SAMPLE_LINES = 6;
const FORMS: Record<ImportKind, string> = {
  suppressionImport: 'CSV or plain lines',
  bankImport: 'CSV, plain lines, or the FedACH or Fedwire directory',
  binImport: 'CSV or plain lines',
};
const MODE_ORDER: ImportMode[] = ['add', 'replace', 'remove'];

interface Chosen {
  file: Blob;
  name: string;
  lines: string[];
  /** Why it can be no import, whatever is chosen. */
  problem?: string | undefined;
}

/** A file or a pasted text, with its columns guessed, shown, and open to be chosen anew. */
export function ImportForm({ kind, listId }: { kind: ImportKind; listId?: string | undefined }) {
  const { country } = usePlaceIds();
  const navigate = useNavigate();
  const [list, setList] = useState(listId ?? '');
  const [mode, setMode] = useState<ImportMode>('add');
  const [despiteErrors, setDespiteErrors] = useState(false);
  const [ofCountry, setOfCountry] = useState(country);
  const [source, setSource] = useState<'file' | 'paste'>('file');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [layout, setLayout] = useState<GuessedImport | null>(null);
  const [share, setShare] = useState(0);
  const take = (next: Chosen | null) => {
    setChosen(next);
    setLayout(next && next.lines.length > 0 && !next.problem ? guessImport(kind, next.lines) : null);
  };
  const begun = useRef<{ jobId: string; asked: string; file: Blob } | null>(null);
  const send = useMutation({
    mutationFn: async ({ file, name, settings }: { file: Blob; name: string; settings: ImportSettings }) => {
      const asked = { kind, name, settings, ...(kind === 'suppressionImport' && { listId: list }) };
      const key = JSON.stringify(asked);
      // One that was interrupted goes on, unless something else is asked for now.
      if (begun.current?.file !== file || begun.current.asked !== key)
        begun.current = { jobId: await beginImport(asked), asked: key, file };
      const { jobId } = begun.current;
      await sendFile(jobId, file, setShare);
      return jobId;
    },
    onSuccess: (jobId) => {
      void toast('success', message('importStarted'));
      void navigate({ to: '/$id/trackProcess', params: { id: jobId } });
    },
  });
  const problem = whyNot();
  function whyNot(): string | undefined {
    if (kind === 'suppressionImport' && !list) return 'Choose a list.';
    if (chosen?.problem) return chosen.problem;
    if (chosen?.file.size === 0) return 'There is nothing in the file.';
    if (!chosen || !layout) return source === 'file' ? 'Choose a file.' : 'Paste something.';
    if (chosen.file.size > JOB_PART_BYTES * JOB_PARTS_MOST) return 'The file is larger than 300 MiB. Split it.';
    return (
      widthProblem(chosen.lines, layout.delimiter) ??
      columnProblem(kind, layout.columns) ??
      layoutProblem(kind, layout.delimiter, ofCountry)
    );
  }
  const submit = () => {
    if (problem || !chosen || !layout || send.isPending) return;
    const settings: ImportSettings = {
      ...{ mode, ...layout },
      ...(kind === 'bankImport' && { country: ofCountry }),
      ...(mode === 'replace' && despiteErrors && { despiteErrors }),
    };
    send.mutate({ file: chosen.file, name: chosen.name, settings });
  };
  return (
    <form
      className="form-stack record-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FormSection title="What and how">
        <div className="form-three">
          {kind === 'suppressionImport' && <ListSelect value={list} onChange={setList} />}
          {kind === 'bankImport' && (
            <NativeSelect
              label="Whose banks"
              data={Object.entries(COUNTRY).map(([value, label]) => ({ value, label }))}
              value={ofCountry}
              onChange={(event) => setOfCountry(event.currentTarget.value as typeof ofCountry)}
            />
          )}
          <NativeSelect
            label="Mode"
            description={`${MODES[mode].says}${mode === 'replace' ? REPLACE_SPARES[kind] : ''}`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={MODE_ORDER.map((value) => ({ value, label: MODES[value].label }))}
            value={mode}
            onChange={(event) => setMode(event.currentTarget.value as ImportMode)}
          />
        </div>
        {mode === 'replace' && (
          <Checkbox
            label={DESPITE_ERRORS}
            description="Otherwise such an import fails and nothing is taken out. Where no row can be read, it always does."
            checked={despiteErrors}
            onChange={(event) => setDespiteErrors(event.currentTarget.checked)}
          />
        )}
      </FormSection>
      <FormSection title="File" says={`${FORMS[kind]}, in UTF-8 or Windows-1252; up to a million rows.`}>
        <SegmentedControl
          className="import-source"
          aria-label="Where it comes from"
          data={[
            { value: 'file', label: 'A file' },
            { value: 'paste', label: 'Paste' },
          ]}
          value={source}
          onChange={(next) => {
            setSource(next as 'file' | 'paste');
            take(null);
          }}
        />
        {source === 'file' ? <FileChoice chosen={chosen} onChoose={take} /> : <Paste onChoose={take} />}
        {chosen && layout && <Layout kind={kind} lines={chosen.lines} layout={layout} onChange={setLayout} />}
      </FormSection>
      <div className="row record-form-end">
        <Button type="submit" loading={send.isPending} disabled={problem !== undefined}>
          {send.isError ? 'Go on' : 'Import'}
        </Button>
        {send.isPending && (
          <span className="muted small" role="status">
            {Math.round(share * 100)}% sent
          </span>
        )}
        {!send.isPending && problem && <span className="muted small">{problem}</span>}
        {send.error && (
          <span className="bad small" role="alert">
            {failureText(send.error, 'Import')}
          </span>
        )}
      </div>
    </form>
  );
}

function ListSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const lists = useQuery(recordsQuery({ model: 'suppressionList', limit: 1000, sort: [{ field: 'name' }] }));
  const row = lists.data?.data.find((one) => one._id === value);
  return (
    <SelectSearch
      label="List"
      options={(lists.data?.data ?? []).map((one) => ({ value: one._id, label: String(one.name) }))}
      emptyText="No lists found."
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      {...(row && { description: `${entryWords(row)}; ${formatCount(Number(row.entryCount))} entries now.` })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
}

/** Lines at the beginning; of what is no text, none. */
async function readBeginning(file: Blob): Promise<Pick<Chosen, 'lines' | 'problem'>> {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const problem = whyNoText(bytes);
  if (problem) return { lines: [], problem };
  const lines = linesOf(bytes, file.size <= bytes.length)
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLE_LINES);
  return { lines };
}

/** Each decoded by itself, as when they are imported. Of a longer file the last is cut off anywhere. */
function linesOf(bytes: Uint8Array, isWhole: boolean): string[] {
  const ends = [...bytes.keys()].filter((at) => bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN);
  const lines = ends.map((end, at) => decodeFile(bytes.subarray(at === 0 ? 0 : ends[at - 1]! + 1, end)));
  return isWhole || lines.length === 0 ? [...lines, decodeFile(bytes.subarray((ends.at(-1) ?? -1) + 1))] : lines;
}

const widthOf = (lines: readonly string[], delimiter: Delimiter) => Math.max(...lines.map((line) => splitLine(line, delimiter).length));

/** More columns than anybody could look through are what a wrong separator makes, or a file of something else. */
function widthProblem(lines: readonly string[], delimiter: Delimiter): string | undefined {
  const width = widthOf(lines, delimiter);
  if (width <= MOST_COLUMNS) return undefined;
  return `The first lines have ${formatCount(width)} columns or more; ${MOST_COLUMNS} are the most. Look at what separates them, or cut away those that are not needed.`;
}

function FileChoice({ chosen, onChoose }: { chosen: Chosen | null; onChoose: (chosen: Chosen) => void }) {
  return (
    <FileDrop
      label="File to import"
      button={chosen ? 'Choose another file' : 'Choose a file'}
      size="sm"
      onFile={(file) => void readBeginning(file).then((found) => onChoose({ file, name: file.name.slice(0, 200), ...found }))}
    >
      {chosen && (
        <span>
          {chosen.name} <span className="muted">({formatCount(Math.ceil(chosen.file.size / 1024))} KiB)</span>
        </span>
      )}
    </FileDrop>
  );
}

function Paste({ onChoose }: { onChoose: (chosen: Chosen | null) => void }) {
  const [text, setText] = useState('');
  return (
    <Textarea
      label="Lines"
      rows={8}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--s-font-mono)', fontSize: 12.5 } }}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        const lines = next
          .split('\n', 200)
          .filter((line) => line.trim() !== '')
          .slice(0, SAMPLE_LINES);
        onChoose(lines.length === 0 ? null : { file: new Blob([next]), name: 'Pasted', lines });
      }}
    />
  );
}

const DELIMITERS: { value: Delimiter; label: string }[] = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Bar' },
];
/** Lists of banks alone are known by their widths. */
const delimitersOf = (kind: ImportKind) =>
  kind === 'bankImport'
    ? [...DELIMITERS, ...Object.entries(FIXED_WIDTHS).map(([value, { label }]) => ({ value: value as Delimiter, label }))]
    : DELIMITERS;
const NOTHING = '';

interface LayoutProps {
  kind: ImportKind;
  lines: string[];
  layout: GuessedImport;
  onChange: (layout: GuessedImport) => void;
}

/** How the file is read. */
function Layout({ kind, lines, layout, onChange }: LayoutProps) {
  const choose = (delimiter: Delimiter) =>
    onChange(isFixedWidth(delimiter) || isFixedWidth(layout.delimiter) ? guessImport(kind, lines, delimiter) : { ...layout, delimiter });
  return (
    <>
      <div className="form-three">
        <NativeSelect
          label="Columns are separated by"
          data={delimitersOf(kind)}
          value={layout.delimiter}
          onChange={(event) => choose(event.currentTarget.value as Delimiter)}
        />
        <NativeSelect
          label="The first line"
          data={[
            { value: 'header', label: 'Names the columns' },
            { value: 'row', label: 'Is a row' },
          ]}
          value={layout.hasHeader ? 'header' : 'row'}
          onChange={(event) => onChange({ ...layout, hasHeader: event.currentTarget.value === 'header' })}
        />
      </div>
      {widthOf(lines, layout.delimiter) <= MOST_COLUMNS && <Sample {...{ kind, lines, layout, onChange }} />}
    </>
  );
}

/** The first rows under what each column is taken for. */
function Sample({ kind, lines, layout, onChange }: LayoutProps) {
  const rows = lines.map((line) => splitLine(line, layout.delimiter));
  // Of a known list the columns that matter are known.
  const places = isFixedWidth(layout.delimiter)
    ? Object.values(FIXED_WIDTHS[layout.delimiter].bank)
    : Array.from({ length: widthOf(lines, layout.delimiter) }, (_, at) => at);
  const roleAt = (at: number) => Object.entries(layout.columns).find(([, place]) => place === at)?.[0] ?? NOTHING;
  const choose = (at: number, role: string) => {
    const others = Object.entries(layout.columns).filter(([one, place]) => place !== at && one !== role);
    onChange({ ...layout, columns: Object.fromEntries(role === NOTHING ? others : [...others, [role, at]]) });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be wider than the screen, and is scrolled by keys
    <section className="import-sample" tabIndex={0} aria-label="The first rows">
      <table>
        <thead>
          <tr>
            {places.map((at) => (
              <th key={at} scope="col">
                <NativeSelect
                  size="xs"
                  aria-label={`Column ${at + 1}`}
                  data={[{ value: NOTHING, label: 'Not used' }, ...IMPORT_COLUMNS[kind].map(({ role, label }) => ({ value: role, label }))]}
                  value={roleAt(at)}
                  onChange={(event) => choose(at, event.currentTarget.value)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its line
            <tr key={line} className={line === 0 && layout.hasHeader ? 'import-head' : undefined}>
              {places.map((at) => (
                <td key={at}>{cells[at] ?? ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
