import type { ReactNode } from 'react';
import { Button } from '../components/button.js';
import { BookIcon, KeyboardIcon, KeyIcon, SignOutIcon } from '../components/icons.js';
import { Menu } from '../components/menu.js';
import { useMessages } from '../language/language-context.js';
import { sessionMessages } from '../session/messages.js';
import { useSession, useSignOut } from '../session/use-session.js';
import { shellMessages } from './messages.js';

/**
 * Shows a menu with help, the list of shortcuts and the sign-out. Its button shows the name of the session's API key.
 */
export function AccountMenu({ onShowShortcuts }: { readonly onShowShortcuts: () => void }): ReactNode {
  const messages = useMessages(shellMessages);
  const { signOut: signOutText } = useMessages(sessionMessages);
  const { key, organization } = useSession();
  const signOut = useSignOut();
  return (
    <Menu
      groups={[
        {
          title: `${organization.name} · ${key.scopes.join(', ')}`,
          actions: [
            { label: messages.shortcuts, icon: KeyboardIcon, shortcut: '?', onSelect: onShowShortcuts },
            {
              label: messages.documentation,
              icon: BookIcon,
              onSelect: () => window.open(new URL('docs', document.baseURI), '_blank', 'noopener'),
            },
          ],
        },
        { actions: [{ label: signOutText, icon: SignOutIcon, onSelect: () => void signOut() }] },
      ]}
      side="top"
      trigger={
        <Button className="sidebar-account" icon={KeyIcon} kind="quiet" title={messages.keyName(key.name)}>
          <span className="visually-hidden">{messages.account}: </span>
          {key.name}
        </Button>
      }
    />
  );
}
