import { Link } from '@tanstack/react-router';
import { EmptyState } from '#web/ui/states.tsx';
import { useSetup } from '../shell/use-place.ts';

/** Account §2: shown when somebody may open no page. */
export function NoPermission() {
  const { organization } = useSetup();
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
          Ask the owner of {organization.name} to tick the pages that you need. They hold from your next sign-in.
        </EmptyState>
      </div>
    </div>
  );
}
