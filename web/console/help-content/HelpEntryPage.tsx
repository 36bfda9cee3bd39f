import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type HelpKind, helpKindOf } from '#contract/help-kind.ts';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { ApiError } from '../api/client.ts';
import { helpEntryQuery } from '../api/help.ts';
import { BackMark } from '../set-up/SetUpPage.tsx';
import { HelpForm } from './HelpForm.tsx';
import { HelpVersions } from './HelpVersions.tsx';
import { kindWords, textsOf } from './help-words.ts';
import './help-content.css';

/** One entry of the help, new or kept, with its versions. */
export function HelpEntryPage() {
  const { kind, key } = useParams({ strict: false }) as { kind?: string; key?: string };
  const known = helpKindOf(kind);
  return <div className="page">{known && key ? <KeptEntry kind={known} entryKey={key} /> : kind ? <Unknown /> : <NewEntry />}</div>;
}

function Head({ title, says }: { title: string; says?: string }) {
  return (
    <>
      <title>{`${title} · Help content · Sluice`}</title>
      <div className="page-head">
        <h1>{title}</h1>
        {says && <span className="muted">{says}</span>}
      </div>
      <p className="set-up-back">
        <Link to="/help-content" className="link row">
          <BackMark /> Help content
        </Link>
      </p>
    </>
  );
}

const NewEntry = () => (
  <>
    <Head title="New entry" />
    <HelpForm read={undefined} onAnew={() => {}} />
  </>
);

const Unknown = () => (
  <>
    <Head title="Help" />
    <div className="card">
      <EmptyState title="There is no such entry.">Choose one of the list, or add it.</EmptyState>
    </div>
  </>
);

function KeptEntry({ kind, entryKey }: { kind: HelpKind; entryKey: string }) {
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(helpEntryQuery(kind, entryKey));
  // What is typed stays, whatever comes in meanwhile: the form begins anew only when somebody asks for it, or saved.
  const [round, setRound] = useState(0);
  const renew = async () => {
    await client.invalidateQueries({ queryKey: ['help'] });
    setRound((last) => last + 1);
  };
  if (error instanceof ApiError && error.httpStatus === 404) return <Unknown />;
  if (!data)
    return (
      <>
        <Head title={kindWords[kind]} />
        {isPending ? <SkeletonLines count={6} height={30} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </>
    );
  return (
    <>
      <Head title={kind === 'prompt' ? entryKey : textsOf(data.entry)[0]!} says={kindWords[kind]} />
      <div className="help-sides">
        <HelpForm key={round} read={data} onAnew={() => void renew()} />
        <HelpVersions answer={data} onChanged={() => void renew()} />
      </div>
    </>
  );
}
