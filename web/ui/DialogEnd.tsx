import { Button } from '@mantine/core';

interface DialogEndProps {
  /** The verb of the dialog's title, said again. */
  label: string;
  /** Something is lost for good: then the button is red, and the cursor stands on the other one. */
  isLoss?: boolean;
  /** It cannot be done before something is put right. */
  isBarred?: boolean;
  isPending: boolean;
  /** Absent in a form, which is submitted. */
  onGo?: () => void;
  /** The way back, where it does not end the dialog. */
  back?: string;
  onClose: () => void;
  error?: Error | null;
}

/** How every dialog ends: the refusal, what it does, and on its right the way out. */
export function DialogEnd({ label, isLoss = false, isBarred = false, isPending, onGo, back = 'Cancel', onClose, error }: DialogEndProps) {
  return (
    <>
      {error && (
        <div className="form-alert" role="alert">
          {error.message}
        </div>
      )}
      <span className="row">
        <Button
          type={onGo ? 'button' : 'submit'}
          loading={isPending}
          disabled={isBarred}
          {...(onGo && { onClick: onGo })}
          {...(isLoss ? { color: 'red.9' } : onGo && { 'data-autofocus': true })}
        >
          {label}
        </Button>
        <Button variant="default" onClick={onClose} {...(isLoss && { 'data-autofocus': true })}>
          {back}
        </Button>
      </span>
    </>
  );
}
