import { usePlaceOf } from './place-ids.ts';

export function VerticalName({ id }: { id: unknown }) {
  return <>{usePlaceOf()(id)?.name ?? 'Another vertical'}</>;
}
