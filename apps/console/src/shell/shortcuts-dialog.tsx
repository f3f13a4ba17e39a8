import type { ReactNode } from 'react';
import { Dialog } from '../components/dialog.js';
import { ShortcutKeys } from '../components/shortcut-keys.js';
import { useLanguage, useMessages } from '../language/language-context.js';
import { shellMessages } from './messages.js';
import { MODIFIER } from '../keyboard/modifier.js';
import { useNavigationScreens } from './use-navigation-screens.js';

export interface ShortcutsDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists the keyboard shortcuts. */
export function ShortcutsDialog({ isOpen, onClose }: ShortcutsDialogProps): ReactNode {
  const messages = useMessages(shellMessages);
  const { language } = useLanguage();
  const screens = useNavigationScreens();
  const rows = [
    { keys: `${MODIFIER} K`, text: messages.openPalette },
    { keys: '?', text: messages.showShortcuts },
    { keys: 'Esc', text: messages.closeDialog },
    ...screens.map(({ title, navigation: { key } }) => ({
      keys: `g ${key}`,
      text: messages.openScreen(title[language]),
    })),
  ];
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={messages.shortcuts} width="narrow">
      <dl className="shortcuts">
        {rows.map(({ keys, text }) => (
          <div key={keys}>
            <dt>{text}</dt>
            <dd>
              <ShortcutKeys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
