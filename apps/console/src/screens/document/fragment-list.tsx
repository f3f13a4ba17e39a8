import type { DatasourceFragment } from '@quarry/client';
import { useEffect, type KeyboardEvent, type ReactNode } from 'react';
import { joinClasses } from '../../components/join-classes.js';
import { ListEnd, type MoreRows } from '../../components/list-end.js';
import { useVisibleRows, type VisibleRows } from '../../components/use-visible-rows.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { FragmentText } from './fragment-text.js';
import { measureFragmentOverlap } from './measure-fragment-overlap.js';
import { documentMessages } from './messages.js';
import { findFirstPage, findLastPage } from './place-boxes.js';

export interface FragmentListProps {
  readonly fragments: readonly DatasourceFragment[];
  readonly selectedId: string | undefined;
  readonly hoveredId: string | undefined;
  readonly onSelect: (fragment: DatasourceFragment) => void;
  readonly onHover: (id: string | undefined) => void;
  /**
   * True to show the whole text of every fragment; used for documents without pages. False: only the selected fragment
   * shows its whole text.
   */
  readonly isFull: boolean;
  /** Maximum number of tokens that a fragment repeats of the previous fragment. */
  readonly overlapTokens: number;
  /** The state of the further fragments, and the function that loads them. */
  readonly more: MoreRows;
}

const ROW_HEIGHT = 126;

/** Shows the fragments of a document in their order. The arrow keys select the next and the previous fragment. */
export function FragmentList(props: FragmentListProps): ReactNode {
  const { fragments, selectedId, onSelect, isFull, more } = props;
  const messages = useMessages(documentMessages);
  const selectedAt = fragments.findIndex(({ id }) => id === selectedId);
  const focusable = selectedAt === -1 ? fragments[0]?.id : selectedId;
  const { frame, visible, height, measure, scrollTo } = useVisibleRows({
    rows: fragments,
    getKey: ({ id }) => id,
    rowHeight: ROW_HEIGHT,
    more,
    keptKey: focusable,
  });
  useEffect(() => {
    if (selectedAt === -1) return;
    scrollTo(selectedAt, { align: 'center' });
    // If the list has the focus, the focus moves to the selected fragment.
    if (frame.current?.contains(document.activeElement) !== true) return;
    frame.current.querySelector<HTMLElement>('[aria-selected=true]')?.focus({ preventScroll: true });
  }, [frame, scrollTo, selectedAt]);
  const handleKey = (event: KeyboardEvent): void => {
    const target = fragments[findIndexSelectedByKey(event.key, selectedAt, fragments.length) ?? -1];
    if (target === undefined) return;
    event.preventDefault();
    onSelect(target);
  };
  return (
    <div className={joinClasses('fragment-list', isFull && 'fragment-list-full')} ref={frame}>
      <div
        aria-label={messages.fragments}
        className="virtual-list-space"
        onKeyDown={handleKey}
        role="listbox"
        style={{ height }}
        tabIndex={-1}
      >
        {visible.map(({ index, start, key }) => {
          const fragment = fragments[index];
          if (fragment === undefined) return null;
          return (
            <FragmentOption
              {...props}
              before={fragments[index - 1]}
              fragment={fragment}
              isFocusable={fragment.id === focusable}
              key={key}
              index={index}
              measure={measure}
              start={start}
            />
          );
        })}
      </div>
      <ListEnd {...more} />
    </div>
  );
}

/** Returns the index of the fragment that an arrow key, Home or End selects. Returns undefined for other keys. */
function findIndexSelectedByKey(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

interface FragmentOptionProps extends FragmentListProps, Pick<VisibleRows, 'measure'> {
  readonly fragment: DatasourceFragment;
  readonly before: DatasourceFragment | undefined;
  readonly isFocusable: boolean;
  readonly index: number;
  /** Distance of the fragment from the start of the list, in pixels. */
  readonly start: number;
}

function FragmentOption(props: FragmentOptionProps): ReactNode {
  const { fragments, more, fragment, before, selectedId, hoveredId, onSelect, onHover, isFocusable, isFull } = props;
  const { index, start, measure, overlapTokens } = props;
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  const { describeLocation } = useServerTexts();
  const { id, ordinal, text, context, location, tokens } = fragment;
  return (
    <div
      aria-posinset={ordinal + 1}
      aria-selected={id === selectedId}
      aria-setsize={more.hasMore ? -1 : fragments.length}
      className={joinClasses('fragment virtual-list-row', id === hoveredId && 'fragment-hovered')}
      data-index={index}
      onClick={() => onSelect(fragment)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onSelect(fragment);
      }}
      onPointerEnter={() => onHover(id)}
      onPointerLeave={() => onHover(undefined)}
      ref={measure}
      role="option"
      style={{ transform: `translateY(${start}px)` }}
      tabIndex={isFocusable ? 0 : -1}
    >
      <div className="fragment-head numbers">
        <span className="fragment-number">{formats.number(ordinal + 1)}</span>
        <FragmentPages fragment={fragment} />
        {location !== null && <span className="truncate">{describeLocation(location)}</span>}
        <span className="fragment-tokens">
          {formats.plural(tokens, { one: messages.tokensOne, other: messages.tokensOther })}
        </span>
      </div>
      {context !== '' && <div className="fragment-context">{context}</div>}
      <FragmentText
        isComplete={isFull || id === selectedId}
        overlap={isFull && before !== undefined ? measureFragmentOverlap(before, fragment, overlapTokens) : 0}
        text={text}
      />
    </div>
  );
}

/**
 * Shows the number of the page that contains a fragment, or the first and the last page number if the fragment spans
 * several pages.
 */
function FragmentPages({ fragment }: Pick<FragmentOptionProps, 'fragment'>): ReactNode {
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  const first = findFirstPage(fragment);
  if (first === null) return null;
  const last = findLastPage([fragment]);
  const [from, to] = [formats.number(first), formats.number(last)];
  return <span>{last > first ? messages.pageRange(from, to) : messages.pageShort(from)}</span>;
}
