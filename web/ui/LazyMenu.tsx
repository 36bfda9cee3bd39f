import { type ComponentProps, type ComponentType, cloneElement, type ReactElement, useState } from 'react';

/** What a menu is made around: its button. */
export interface MenuProps {
  children: ReactElement<ComponentProps<'button'>>;
}

interface LazyMenuProps extends MenuProps {
  fetchMenu: () => Promise<ComponentType<MenuProps>>;
}

/** A menu whose code comes when somebody reaches for its button; it opens at once (use-opened-at-once.ts). */
export function LazyMenu({ fetchMenu, children }: LazyMenuProps) {
  const [Menu, setMenu] = useState<ComponentType<MenuProps>>();
  if (Menu) return <Menu>{children}</Menu>;
  // A file that does not come now is asked for again with the next touch.
  const near = () => void fetchMenu().catch(() => {});
  const want = () =>
    void fetchMenu().then(
      (fetched) => setMenu(() => fetched),
      () => {},
    );
  return cloneElement(children, { 'aria-haspopup': 'menu', 'aria-expanded': false, onPointerEnter: near, onFocus: near, onClick: want });
}
