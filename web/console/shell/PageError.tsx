import { useRouter } from '@tanstack/react-router';
import { ErrorState } from '#web/ui/states.tsx';

export function PageError({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <main className="page">
      <title>Something went wrong · Sluice</title>
      <div className="card">
        <ErrorState error={error} onRetry={() => void router.invalidate()} />
      </div>
    </main>
  );
}
