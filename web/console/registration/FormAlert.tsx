import { IconAlertTriangle } from '#web/ui/icons.ts';

/** A refusal that belongs to no single field. */
export function FormAlert({ error }: { error: Error | null }) {
  if (!error) return null;
  return (
    <div className="sign-in-alert" role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <span>{error.message}</span>
    </div>
  );
}
