import { Link, useSearch } from '@tanstack/react-router';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { BackMark } from '../set-up/SetUpPage.tsx';
import { ImportForm } from './ImportForm.tsx';
import { JobHistory } from './JobHistory.tsx';
import { ListsPage } from './ListsPage.tsx';

/** Page key 14: suppression lists are filled here. */
export function ListImports() {
  const { list } = useSearch({ strict: false }) as { list?: string };
  return (
    <ListsPage title="Imports">
      <ImportForm key={list ?? ''} kind="suppressionImport" listId={list} />
      <History kind="suppressionImport" />
    </ListsPage>
  );
}

export const BankImports = () => <Below kind="bankImport" title="Import banks" path="bank-mgmt" label="Banks" />;
export const BinImports = () => <Below kind="binImport" title="Import BIN ranges" path="bin-mgmt" label="BIN ranges" />;

function Below({ kind, title, path, label }: { kind: 'bankImport' | 'binImport'; title: string; path: string; label: string }) {
  const { place } = usePlaceIds();
  return (
    <ListsPage
      title={title}
      back={
        <Link to={`/setup/${place.region}/${place.vertical}/${path}` as '/'} className="link row">
          <BackMark /> {label}
        </Link>
      }
    >
      <ImportForm kind={kind} />
      <History kind={kind} />
    </ListsPage>
  );
}

function History({ kind }: { kind: 'suppressionImport' | 'bankImport' | 'binImport' }) {
  return (
    <section className="belongings print-alone" aria-labelledby="history">
      <div className="set-up-head">
        <h2 id="history">Earlier imports</h2>
      </div>
      <JobHistory kind={kind} />
    </section>
  );
}
