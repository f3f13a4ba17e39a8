import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { HistoryIcon, TrashIcon } from '../../components/icons.js';
import { Menu } from '../../components/menu.js';
import { useMessages } from '../../language/language-context.js';
import { playgroundMessages } from './messages.js';
import type { PastQuery } from './query-history.js';

interface HistoryMenuProps {
  readonly history: readonly PastQuery[];
  readonly onOpen: (past: PastQuery) => void;
  readonly onClear: () => void;
}

/** Shows a menu with the recent playground queries of this browser. */
export function HistoryMenu({ history, onOpen, onClear }: HistoryMenuProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const queries = history.map((past) => ({
    label: past.b === undefined ? past.query : `${past.query} · A | B`,
    icon: HistoryIcon,
    onSelect: () => onOpen(past),
  }));
  const clear = { label: messages.clearHistory, icon: TrashIcon, onSelect: onClear };
  return (
    <Menu
      align="end"
      groups={[{ actions: queries }, { actions: [clear] }]}
      trigger={
        <Button disabled={history.length === 0} icon={HistoryIcon} title={messages.noHistory}>
          {messages.history}
        </Button>
      }
    />
  );
}
