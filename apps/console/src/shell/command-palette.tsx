import { useQuery } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useClient } from '../api/client-context.js';
import { Dialog } from '../components/dialog.js';
import { AgentIcon, DatastoreIcon, SearchIcon } from '../components/icons.js';
import { useLanguage, useMessages } from '../language/language-context.js';
import { useOpenScreen } from '../routing/screen-link.js';
import { useHasScope } from '../session/use-session.js';
import { filterCommands, type Command } from './filter-commands.js';
import { shellMessages } from './messages.js';
import { SCREENS } from '../screens/screens.js';
import { useNavigationScreens } from './use-navigation-screens.js';
import './command-palette.css';

export interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a dialog that finds screens, datastores and agents by name. */
export function CommandPalette({ isOpen, onClose }: CommandPaletteProps): ReactNode {
  const messages = useMessages(shellMessages);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={messages.search}>
      <CommandPaletteContent onClose={onClose} />
    </Dialog>
  );
}

/**
 * Shows the content of the palette. Each opening mounts this component again, so that the search field starts empty.
 */
function CommandPaletteContent({ onClose }: Pick<CommandPaletteProps, 'onClose'>): ReactNode {
  const messages = useMessages(shellMessages);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const commands = filterCommands(useCommands(), text);
  const index = Math.min(chosen, commands.length - 1);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.onRun();
  };
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((index + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[index]);
    }
  };
  return (
    <div className="palette">
      <CommandSearchField
        activeId={commands.length === 0 ? undefined : `${id}-${index}`}
        listId={`${id}-list`}
        onChange={(next) => {
          setText(next);
          setChosen(0);
        }}
        onKeyDown={handleKey}
        value={text}
      />
      <div aria-label={messages.search} className="palette-list" id={`${id}-list`} role="listbox">
        {commands.map((command, position) => (
          <CommandItem
            command={command}
            id={`${id}-${position}`}
            isChosen={position === index}
            key={command.key}
            onHover={() => setChosen(position)}
            onRun={() => run(command)}
          />
        ))}
      </div>
      {commands.length === 0 && <p className="palette-empty muted">{messages.noResults}</p>}
    </div>
  );
}

interface CommandSearchFieldProps {
  readonly value: string;
  readonly listId: string;
  /** The element id of the highlighted item of the list. Undefined if the list is empty. */
  readonly activeId: string | undefined;
  readonly onChange: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function CommandSearchField({ value, listId, activeId, onChange, onKeyDown }: CommandSearchFieldProps): ReactNode {
  const messages = useMessages(shellMessages);
  return (
    <span className="palette-field">
      <SearchIcon />
      <input
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        aria-controls={listId}
        aria-expanded="true"
        aria-label={messages.searchHint}
        autoComplete="off"
        // eslint-disable-next-line jsx-a11y-x/no-autofocus -- the palette opens for typing
        autoFocus
        dir="auto"
        name="command"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder={messages.searchHint}
        role="combobox"
        spellCheck={false}
        value={value}
      />
    </span>
  );
}

interface CommandItemProps {
  readonly command: Command;
  readonly id: string;
  readonly isChosen: boolean;
  readonly onHover: () => void;
  readonly onRun: () => void;
}

function CommandItem({ command, id, isChosen, onHover, onRun }: CommandItemProps): ReactNode {
  const { icon: CommandIcon, title, group } = command;
  return (
    // The search field keeps the focus and handles the keys (ARIA pattern “Combobox” with a list).
    // eslint-disable-next-line jsx-a11y-x/click-events-have-key-events, jsx-a11y-x/interactive-supports-focus
    <div
      aria-selected={isChosen}
      className="palette-item"
      id={id}
      onClick={onRun}
      onMouseMove={onHover}
      ref={(item) => {
        if (isChosen) item?.scrollIntoView({ block: 'nearest' });
      }}
      role="option"
    >
      <CommandIcon />
      <span className="truncate">{title}</span>
      <span className="palette-group">{group}</span>
    </div>
  );
}

/** Maximum number of datastores, and maximum number of agents, that the palette lists. */
const MAX_NAMES = 100;

/** Returns the entries of the palette: they open screens of the navigation, datastores and agents. */
function useCommands(): readonly Command[] {
  const messages = useMessages(shellMessages);
  const { language } = useLanguage();
  const client = useClient();
  const openScreen = useOpenScreen();
  const canManage = useHasScope('manage');
  const hasScreen = (name: string): boolean => SCREENS.some((screen) => screen.name === name);
  const screens = useNavigationScreens().map(({ name, title, navigation }): Command => ({
    key: name,
    title: title[language],
    words: navigation.words ?? '',
    group: messages.groupScreens,
    icon: navigation.icon,
    onRun: () => {
      openScreen({ to: name, parameters: {} } as Parameters<typeof openScreen>[0]); // screens of the navigation have no parameters
    },
  }));
  const datastores = useQuery({
    queryKey: ['datastores', 'palette'],
    queryFn: async ({ signal }) => client.listDatastores({ limit: MAX_NAMES }, { signal }),
    enabled: canManage && hasScreen('datastore'),
  });
  const agents = useQuery({
    queryKey: ['agents', 'palette'],
    queryFn: async ({ signal }) => client.listAgents({ limit: MAX_NAMES }, { signal }),
    enabled: canManage && hasScreen('agent'),
  });
  return [
    ...screens,
    ...(datastores.data?.items ?? []).map(({ id, name }): Command => ({
      ...{ key: id, title: name, words: '', group: messages.groupDatastores, icon: DatastoreIcon },
      onRun: () => openScreen({ to: 'datastore', parameters: { datastoreId: id } }),
    })),
    ...(agents.data?.items ?? []).map(({ id, name }): Command => ({
      ...{ key: id, title: name, words: '', group: messages.groupAgents, icon: AgentIcon },
      onRun: () => openScreen({ to: 'agent', parameters: { agentId: id } }),
    })),
  ];
}
