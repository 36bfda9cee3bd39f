import { Link } from '@tanstack/react-router';
import { pageCatalogue } from '#contract/page.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { opensSomething } from '../guard.ts';
import { useSetup } from '../shell/use-place.ts';

/** Account §2: shown when somebody may open no page. */
export function NoPermission() {
  const { organization, permission } = useSetup();
  const ticked = permission?.globalPermission ?? [];
  // Ticked ahead of their time.
  const isEarly =
    ticked.length > 0 && !pageCatalogue.some((page) => opensSomething(page) && ticked.some(({ value }) => value === page.value));
  return (
    <div className="page narrow">
      <title>No permission · Sluice</title>
      <div className="page-head">
        <h1>No permission</h1>
      </div>
      <div className="card">
        <EmptyState
          title="There is no page for you here yet."
          action={
            <Link to="/change-profile" className="link">
              Your profile
            </Link>
          }
        >
          {isEarly
            ? `The pages that ${organization.name} gave you are not in this version of Sluice. Ask its owner for others meanwhile.`
            : `Ask the owner of ${organization.name} to tick the pages that you need. They hold from your next sign-in.`}
        </EmptyState>
      </div>
    </div>
  );
}
