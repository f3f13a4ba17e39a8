import type { DatasourceFragment } from '@quarry/client';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { joinClasses } from '../../components/join-classes.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { measureOverlap } from './measure-overlap.js';
import { documentMessages } from './messages.js';
import { findFirstPage } from './place-boxes.js';

export interface FragmentListProps {
  readonly fragments: readonly DatasourceFragment[];
  readonly selectedId: string | undefined;
  readonly hoveredId: string | undefined;
  readonly onSelect: (fragment: DatasourceFragment) => void;
  readonly onHover: (id: string | undefined) => void;
  /** Shows complete texts, for documents without pages. Otherwise only the selected text is complete. */
  readonly isFull: boolean;
}

/** Shows the fragments of a document in their order. The arrow keys select the next and the previous one. */
export function FragmentList(props: FragmentListProps): ReactNode {
  const { fragments, selectedId, onSelect, isFull } = props;
  const messages = useMessages(documentMessages);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'center' });
  }, [selectedId, fragments.length]);
  const select = (index: number): void => {
    const fragment = fragments[index];
    if (fragment === undefined) return;
    onSelect(fragment);
    list.current?.querySelectorAll<HTMLElement>('[role=option]')[index]?.focus();
  };
  const handleKey = (event: KeyboardEvent): void => {
    const at = fragments.findIndex(({ id }) => id === selectedId);
    const target = findTarget(event.key, at, fragments.length);
    if (target === undefined) return;
    event.preventDefault();
    select(target);
  };
  const focusable = fragments.some(({ id }) => id === selectedId) ? selectedId : fragments[0]?.id;
  return (
    <div
      aria-label={messages.fragments}
      className={joinClasses('fragment-list', isFull && 'fragment-list-full')}
      onKeyDown={handleKey}
      ref={list}
      role="listbox"
      tabIndex={-1}
    >
      {fragments.map((fragment, index) => (
        <FragmentOption
          {...props}
          before={fragments[index - 1]}
          fragment={fragment}
          isFocusable={fragment.id === focusable}
          key={fragment.id}
        />
      ))}
    </div>
  );
}

function findTarget(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

interface FragmentOptionProps extends Omit<FragmentListProps, 'fragments'> {
  readonly fragment: DatasourceFragment;
  readonly before: DatasourceFragment | undefined;
  readonly isFocusable: boolean;
}

function FragmentOption(props: FragmentOptionProps): ReactNode {
  const { fragment, before, selectedId, hoveredId, onSelect, onHover, isFocusable, isFull } = props;
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  const { id, ordinal, text, context, location, tokens } = fragment;
  const page = findFirstPage(fragment);
  return (
    <div
      aria-selected={id === selectedId}
      className={joinClasses('fragment', id === hoveredId && 'fragment-hovered')}
      onClick={() => onSelect(fragment)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onSelect(fragment);
      }}
      onPointerEnter={() => onHover(id)}
      onPointerLeave={() => onHover(undefined)}
      role="option"
      tabIndex={isFocusable ? 0 : -1}
    >
      <div className="fragment-head numbers">
        <span className="fragment-number">{formats.number(ordinal + 1)}</span>
        {page !== null && <span>{messages.pageShort(formats.number(page))}</span>}
        {location !== null && <span className="truncate">{location}</span>}
        <span className="fragment-tokens">
          {formats.plural(tokens, { one: messages.tokensOne, other: messages.tokensOther })}
        </span>
      </div>
      {context !== '' && <div className="fragment-context">{context}</div>}
      <FragmentText overlap={isFull && before !== undefined ? measureOverlap(before.text, text) : 0} text={text} />
    </div>
  );
}

/** Shows the text of a fragment. Words that repeat the previous fragment are fainter. */
function FragmentText({ text, overlap }: { readonly text: string; readonly overlap: number }): ReactNode {
  return (
    <div className="fragment-text">
      {overlap > 0 && <span className="muted">{text.slice(0, overlap)}</span>}
      {text.slice(overlap)}
    </div>
  );
}
