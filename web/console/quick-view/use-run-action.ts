import { useNavigate } from '@tanstack/react-router';
import { useSignOut } from '../shell/use-sign-out.ts';
import { type QuickAction, screenPath } from './quick-view-actions.ts';

/** Console §2: 1 goes to a screen, 2 to a URL, 3 opens the add-vertical modal. */
export function useRunAction(onAddVertical: (regionId: string | undefined) => void): (action: QuickAction) => void {
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (action) => {
    switch (action.type) {
      case 1:
        return void navigate({ href: screenPath(action) });
      case 2:
        return void window.open(action.URLName, '_blank', 'noopener');
      case 3:
        return onAddVertical(action.params.regionId);
      case 'logout':
        return void signOut();
    }
  };
}
