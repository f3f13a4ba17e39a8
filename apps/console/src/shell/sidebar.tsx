import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LogoIcon, SearchIcon } from '../components/icons.js';
import { ShortcutKeys } from '../components/shortcut-keys.js';
import { useLanguage, useMessages } from '../language/language-context.js';
import { ADDRESSES } from '../routing/addresses.js';
import { GROUPS } from '../routing/define-screen.js';
import { useSession } from '../session/use-session.js';
import { AccountMenu } from './account-menu.js';
import { AppearanceMenus } from '../appearance/appearance-menus.js';
import { MODIFIER } from '../keyboard/modifier.js';
import { shellMessages } from './messages.js';
import { useNavigationScreens, type NavigationScreen } from './use-navigation-screens.js';

export interface SidebarProps {
  readonly onSearch: () => void;
  readonly onShowShortcuts: () => void;
}

/** Shows the navigation: links to the screens that the API key of the session may open, by group. */
export function Sidebar({ onSearch, onShowShortcuts }: SidebarProps): ReactNode {
  const messages = useMessages(shellMessages);
  const { organization } = useSession();
  const screens = useNavigationScreens();
  return (
    <>
      <div className="sidebar-head">
        <LogoIcon size={24} />
        <span className="truncate" title={organization.name}>
          {organization.name}
        </span>
      </div>
      <button className="sidebar-search" onClick={onSearch} type="button">
        <SearchIcon size={14} />
        <span>{messages.search}</span>
        <ShortcutKeys keys={`${MODIFIER} K`} />
      </button>
      <div className="sidebar-nav">
        {GROUPS.map((group) => (
          <SidebarGroup
            key={group}
            screens={screens.filter(({ navigation }) => navigation.group === group)}
            title={messages[group]}
          />
        ))}
      </div>
      <div className="sidebar-foot">
        <AccountMenu onShowShortcuts={onShowShortcuts} />
        <AppearanceMenus />
      </div>
    </>
  );
}

interface SidebarGroupProps {
  readonly title: string;
  readonly screens: readonly NavigationScreen[];
}

function SidebarGroup({ title, screens }: SidebarGroupProps): ReactNode {
  const { language } = useLanguage();
  if (screens.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="sidebar-title">{title}</h2>
      <ul>
        {screens.map(({ name, title: titles, navigation: { icon: ScreenIcon, key } }) => (
          <li key={name}>
            <Link activeProps={{ 'aria-current': 'page' }} className="sidebar-link" to={ADDRESSES[name]}>
              <ScreenIcon />
              <span className="truncate">{titles[language]}</span>
              <span aria-hidden="true" className="sidebar-keys">
                <ShortcutKeys keys={`g ${key}`} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
