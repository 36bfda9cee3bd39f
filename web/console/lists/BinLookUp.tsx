import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { BIN_HEADS, BINS_MOST, decidedByText, type FoundBin, kindText, NO_BIN, notBinText } from '#contract/bin.ts';
import { FileTools } from '#web/ui/FileTools.tsx';
import { formatCount } from '#web/ui/format.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { lookUpBins, type MovePlace } from '../api/bin.ts';
import { downloadCsv } from '../download-csv.ts';
import { failureText } from '../message.ts';
import { CombinationNote, CombinationSelects } from './CombinationSelects.tsx';
import { ListsPage } from './ListsPage.tsx';
import { readLookUpSearch } from './list-routes.ts';
import { MoveText } from './list-specs.tsx';
import '#web/ui/data-table.css';
import './lists.css';

const EVERYBODY: MovePlace = { campaignId: null, publisherId: null };

/** Page key 23: for a chosen campaign and affiliate. */
export function BinLookUpPage() {
  const { campaignId, publisherId } = readLookUpSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const place: MovePlace = { campaignId: campaignId ?? null, publisherId: publisherId ?? null };
  const setPlace = (next: MovePlace) =>
    void navigate({ to: '.', search: readLookUpSearch({ ...next }) as never, replace: true, resetScroll: false });
  return (
    <ListsPage title="BIN look-up">
      <LookUp place={place}>
        <div className="form-three">
          <CombinationSelects value={place} onChange={setPlace} />
        </div>
        <CombinationNote {...place} />
      </LookUp>
    </ListsPage>
  );
}

/** Account §6: open to everybody who is signed in; what holds for all campaigns and affiliates. */
export function BinsLookUp() {
  return (
    <div className="page">
      <title>BIN look-up · Sluice</title>
      <div className="page-head">
        <h1>BIN look-up</h1>
        <span className="muted">For all campaigns and affiliates</span>
      </div>
      <LookUp place={EVERYBODY} />
    </div>
  );
}

/** Of whole card numbers only the first eight digits leave the page. */
const readAsked = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => one.replace(/[\s-]/g, ''))
    .map((one) => (/^\d{12,19}$/.test(one) ? one.slice(0, 8) : one));

function LookUp({ place, children }: { place: MovePlace; children?: React.ReactNode }) {
  const [text, setText] = useState('');
  const asked = readAsked(text);
  const look = useMutation({ mutationFn: (order: Order) => lookUpBins(order.bins, order.place) });
  const tooMany = asked.length > BINS_MOST;
  return (
    <>
      <form
        className="card card-pad form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          look.mutate({ bins: asked, place });
        }}
      >
        <Textarea
          label="BINs"
          description={`One a line, six to eight digits each; at most ${formatCount(BINS_MOST)}. Of a card number only the first eight digits are used.`}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          value={text}
          error={tooMany && `These are ${formatCount(asked.length)}.`}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {children}
        <div className="row">
          <Button type="submit" loading={look.isPending} disabled={asked.length === 0 || tooMany}>
            Look up
          </Button>
          {look.error && (
            <span className="bad small" role="alert">
              {failureText(look.error, 'BINs')}
            </span>
          )}
        </div>
      </form>
      {look.data && <Results found={look.data.bins} order={look.variables} />}
    </>
  );
}

/** What was looked up, which a file is asked for by once more. */
interface Order {
  bins: string[];
  place: MovePlace;
}

function Results({ found, order: { bins, place } }: { found: FoundBin[]; order: Order }) {
  const { zone } = useReporting();
  const save = () => {
    const { campaignId, publisherId } = place;
    downloadCsv('bin-lookup', {
      ...{ bins: bins.join(','), timeZone: zone },
      ...(campaignId !== null && { campaignId }),
      ...(publisherId !== null && { publisherId }),
    });
  };
  return (
    <section className="card belongings" aria-label="What was found">
      <header>
        <h2>What was found</h2>
        <span className="row push">
          <FileTools onSave={save} title="Every BIN that was looked up" />
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may be wider than the screen, and is scrolled by keys */}
      <section className="data-table-box" tabIndex={0} aria-label="Table of BINs">
        <table className="data-table">
          <thead>
            <tr>
              {BIN_HEADS.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.map((one, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same BIN may be asked for twice
              <Result key={at} asked={bins[at]!} found={one} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function Result({ asked, found }: { asked: string; found: FoundBin }) {
  if (found.bin === null)
    return (
      <tr>
        <td className="tabular">{notBinText(asked)}</td>
        <td colSpan={7} className="muted">
          {NO_BIN}
        </td>
      </tr>
    );
  return (
    <tr>
      <td className="tabular">{found.bin}</td>
      <td>
        <MoveText move={found.move} />
      </td>
      <td>{decidedByText(found)}</td>
      <td className="tabular">{found.range ?? <span className="muted">not known</span>}</td>
      <td>{found.issuer}</td>
      <td>{found.scheme}</td>
      <td>{kindText(found)}</td>
      <td>{found.country}</td>
    </tr>
  );
}
