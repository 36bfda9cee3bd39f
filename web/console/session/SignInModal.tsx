import { Modal } from '@mantine/core';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ScrollArea.css';
import { SignInSteps } from './SignInSteps.tsx';

/** The same steps as the page, over the landing (account §2). */
export function SignInModal({ email, next, onClose }: { email: string | undefined; next: string | undefined; onClose: () => void }) {
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
      <SignInSteps email={email} next={next} as="h2" />
    </Modal>
  );
}
