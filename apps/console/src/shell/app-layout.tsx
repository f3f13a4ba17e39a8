import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { IconButton } from '../components/icon-button.js';
import { MenuIcon } from '../components/icons.js';
import { joinClasses } from '../components/join-classes.js';
import { lazyComponent } from '../components/lazy-component.js';
import { useLastDefined } from '../components/use-last-defined.js';
import { useMessages } from '../language/language-context.js';
import type { ADDRESSES, AddressName } from '../routing/addresses.js';
import { useOpenScreen } from '../routing/screen-link.js';
import { useSession } from '../session/use-session.js';
import { shellMessages } from './messages.js';
import { Sidebar } from './sidebar.js';
import { useCloseOnEscape } from './use-close-on-escape.js';
import { useNavigationScreens } from './use-navigation-screens.js';
import { useShortcuts } from '../keyboard/use-shortcuts.js';
import './layout.css';

const CommandPalette = lazyComponent(async () => (await import('./command-palette.js')).CommandPalette);
const ShortcutsDialog = lazyComponent(async () => (await import('./shortcuts-dialog.js')).ShortcutsDialog);

type OpenDialog = 'palette' | 'shortcuts' | undefined;

/**
 * Shows the current screen, and the parts around every screen: the navigation, the command palette and the list of
 * shortcuts.
 */
export function AppLayout(): ReactNode {
  const messages = useMessages(shellMessages);
  const [dialog, setDialog] = useState<OpenDialog>();
  const shown = useLastDefined(dialog);
  const { path, content, isOpen, setIsOpen } = useFocusOnScreenChange();
  const { organization } = useSession();
  useScreenShortcuts(setDialog);
  useCloseOnEscape(
    isOpen,
    useCallback(() => setIsOpen(false), [setIsOpen]),
  );
  const close = (): void => {
    setDialog(undefined);
  };
  return (
    <div className="layout">
      <button className="skip-link" onClick={() => content.current?.focus()} type="button">
        {messages.skip}
      </button>
      <header className="topbar">
        <IconButton
          aria-expanded={isOpen}
          icon={MenuIcon}
          label={messages.openNavigation}
          onClick={() => setIsOpen(!isOpen)}
        />
        <span className="truncate">{organization.name}</span>
      </header>
      <nav aria-label={messages.navigation} className={joinClasses('sidebar', isOpen && 'sidebar-open')}>
        <Sidebar onSearch={() => setDialog('palette')} onShowShortcuts={() => setDialog('shortcuts')} />
      </nav>
      {isOpen && <div aria-hidden="true" className="sidebar-shade" onClick={() => setIsOpen(false)} />}
      <main className="content" key={path} ref={content} tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense>
        {shown === 'palette' && <CommandPalette isOpen={dialog === 'palette'} onClose={close} />}
        {shown === 'shortcuts' && <ShortcutsDialog isOpen={dialog === 'shortcuts'} onClose={close} />}
      </Suspense>
    </div>
  );
}

/**
 * After each change of the screen, moves the focus to its heading and closes the navigation of narrow windows. Returns
 * the ref for the content, and the state of the navigation.
 */
function useFocusOnScreenChange(): {
  readonly path: string;
  readonly content: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  readonly setIsOpen: (isOpen: boolean) => void;
} {
  // The path of the shown screen. The location of the router changes at another time than the screen, so a screen would
  // be mounted twice if the location were used.
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname ?? '' });
  const content = useRef<HTMLElement>(null);
  const before = useRef(path);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    // Showing the first screen does not move the focus, so that the first Tab reaches the skip link.
    if (before.current === path) return;
    const isFirst = before.current === '';
    before.current = path;
    setIsOpen(false);
    if (!isFirst)
      (content.current?.querySelector<HTMLElement>('h1') ?? content.current)?.focus({ preventScroll: true });
  }, [path]);
  return { path, content, isOpen, setIsOpen };
}

function useScreenShortcuts(openDialog: (dialog: OpenDialog) => void): void {
  const openScreen = useOpenScreen();
  const screens = useNavigationScreens();
  useShortcuts([
    {
      keys: 'mod+k',
      onPress: () => openDialog('palette'),
    },
    {
      keys: '?',
      onPress: () => openDialog('shortcuts'),
    },
    ...screens.map(({ name, navigation: { key } }) => ({
      keys: `g ${key}`,
      onPress: () => {
        openScreen({ to: name } as { to: PlainAddress }); // screens of the navigation have no parameters
      },
    })),
  ]);
}

/** The names of those screens in `ADDRESSES` whose path has no parameters. */
type PlainAddress = {
  [Name in AddressName]: (typeof ADDRESSES)[Name] extends `${string}$${string}` ? never : Name;
}[AddressName];
