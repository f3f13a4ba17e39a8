import type { Datastore } from '@quarry/client';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { CloseIcon, PlusIcon, RunIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { MODIFIER } from '../../keyboard/modifier.js';
import { useShortcuts } from '../../keyboard/use-shortcuts.js';
import { playgroundMessages } from './messages.js';
import { SettingsFields } from './settings-fields.js';
import { isCompleteSide } from './side-settings.js';
import type { PlaygroundQuery } from './use-playground-address.js';

interface QueryFormProps {
  readonly datastores: readonly Datastore[];
  /** The query in the address. When the address changes, the form shows the new query without losing the focus. */
  readonly initial: PlaygroundQuery;
  readonly onRun: (query: PlaygroundQuery) => void;
}

/**
 * Shows the fields for the query and for the settings of one or two sides. Ctrl-Enter or ⌘-Enter runs the query,
 * whatever has the focus.
 */
export function QueryForm({ datastores, initial, onRun }: QueryFormProps): ReactNode {
  const [draft, setDraft] = useState(initial);
  const [loaded, setLoaded] = useState(initial);
  if (JSON.stringify(loaded) !== JSON.stringify(initial)) {
    setLoaded(initial);
    setDraft(initial);
  }
  const { query, a, b } = draft;
  const canRun = query.trim() !== '' && [a, b ?? a].every(isCompleteSide);
  const run = (): void => {
    if (canRun) onRun({ ...draft, query: query.trim() });
  };
  useShortcuts([{ keys: 'mod+enter', onPress: run }]);
  return (
    <form
      className="query-form"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <QueryLine
        canRun={canRun}
        hasFocus={initial.query === ''}
        onChange={(next) => setDraft({ ...draft, query: next })}
        onRun={run}
        query={query}
      />
      <div className="sides">
        <SettingsFields
          datastores={datastores}
          onChange={(next) => setDraft({ ...draft, a: next })}
          settings={a}
          side="A"
        />
        {b !== undefined && (
          <SettingsFields
            datastores={datastores}
            onChange={(next) => setDraft({ ...draft, b: next })}
            settings={b}
            side="B"
          />
        )}
      </div>
      <CompareButton
        isComparing={b !== undefined}
        onChange={(next) => setDraft({ ...draft, b: next ? a : undefined })}
      />
    </form>
  );
}

interface QueryLineProps {
  readonly query: string;
  readonly canRun: boolean;
  /** True to move the focus to the field when the screen opens. */
  readonly hasFocus: boolean;
  readonly onChange: (query: string) => void;
  readonly onRun: () => void;
}

/** Shows the field for the query. Enter runs the query, and Shift-Enter begins a new line. */
function QueryLine({ query, canRun, hasFocus, onChange, onRun }: QueryLineProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (hasFocus) field.current?.focus({ preventScroll: true });
  }, [hasFocus]);
  return (
    <div className="query-line">
      <textarea
        aria-label={messages.query}
        className="input query-input"
        dir="auto"
        name="query"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey) return;
          if (event.nativeEvent.isComposing) return;
          event.preventDefault();
          onRun();
        }}
        placeholder={messages.queryPlaceholder}
        ref={field}
        rows={1}
        value={query}
      />
      <Button disabled={!canRun} icon={RunIcon} kind="primary" title={`${MODIFIER} Enter`} type="submit">
        {messages.run}
      </Button>
    </div>
  );
}

interface CompareButtonProps {
  readonly isComparing: boolean;
  readonly onChange: (isComparing: boolean) => void;
}

function CompareButton({ isComparing, onChange }: CompareButtonProps): ReactNode {
  const messages = useMessages(playgroundMessages);
  return (
    <div className="compare-line">
      <Button icon={isComparing ? CloseIcon : PlusIcon} kind="quiet" onClick={() => onChange(!isComparing)}>
        {isComparing ? messages.stopComparing : messages.compare}
      </Button>
      {isComparing && <span className="muted">{messages.copyToB}</span>}
    </div>
  );
}
