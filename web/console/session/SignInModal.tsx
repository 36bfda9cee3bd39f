import { Modal } from '@mantine/core';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ScrollArea.css';
import { Notice } from './FormAlert.tsx';
import type { LeftNotice } from './notice.ts';
import { SignInSteps } from './SignInSteps.tsx';

interface SignInModalProps {
  /** Why somebody is here. */
  notice: LeftNotice | null;
  email: string | undefined;
  next: string | undefined;
  onClose: () => void;
}

/** The same steps as the page, over the landing (account §2). */
export function SignInModal({ notice, email, next, onClose }: SignInModalProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      centered
      size={440}
      radius={16}
      padding="lg"
      classNames={{ content: 'sign-in-modal', header: 'sign-in-modal-header' }}
      attributes={{ content: { 'aria-label': 'Sign in' } }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Notice notice={notice} />
      <SignInSteps email={email} next={next} as="h2" />
    </Modal>
  );
}
