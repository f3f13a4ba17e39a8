import type { DatasourceFragment } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { DocumentIcon } from '../../components/icons.js';
import { joinClasses } from '../../components/join-classes.js';
import { Skeleton } from '../../components/skeleton.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { ScreenLink, useOpenScreen, useScreenParameters, useSearchParameter } from '../../routing/screen-link.js';
import { useShortcuts } from '../../keyboard/use-shortcuts.js';
import { MissingItem, type MissingItemProps } from '../../page/missing-item.js';
import { useDatasource } from '../datasources/use-datasources.js';
import './document.css';
import { DocumentHeader } from './document-header.js';
import { FragmentList } from './fragment-list.js';
import { FragmentSummary } from './fragment-summary.js';
import { documentMessages } from './messages.js';
import { findFirstPage, findLastPage } from './place-boxes.js';
import { PageViewer } from './page-viewer.js';
import {
  useDocument,
  useFragments,
  useOverlapTokens,
  type DocumentAddress,
  type FragmentPages,
} from './use-document.js';

/** Shows the fragments of a document beside its pages, on which the selected passage is marked. */
export function DocumentScreen(): ReactNode {
  const messages = useMessages(documentMessages);
  const { datasourceId, documentId: documentKey } = useScreenParameters('document');
  const address = { datasourceId, documentKey };
  const [selectedId] = useSearchParameter('fragment');
  const fragments = useFragments(address, selectedId);
  const { data: document, isPending: isDocumentPending } = useDocument(address);
  const { items, isPending, error, refetch, more } = fragments;
  const isEmpty = !isPending && items.length === 0 && !more.hasMore;
  if (isNotFoundError(error) || (isEmpty && document === null)) return <MissingDocument datasourceId={datasourceId} />;
  return (
    <>
      <DocumentHeader {...address} />
      {items.length > 0 && <DocumentBody address={address} fragments={fragments} selectedId={selectedId} />}
      {(isPending || (isEmpty && isDocumentPending)) && (
        <div className="page">
          <Skeleton lines={8} />
        </div>
      )}
      {error !== null && (
        <div className="page">
          <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />
        </div>
      )}
      {isEmpty && !isDocumentPending && error === null && (
        <EmptyState
          actions={
            <ScreenLink className="button button-primary" parameters={{ datasourceId }} to="datasource">
              {messages.openDatasource}
            </ScreenLink>
          }
          icon={DocumentIcon}
          title={messages.emptyTitle}
        >
          {messages.emptyText}
        </EmptyState>
      )}
    </>
  );
}

/** Shows a page in place of a document that was removed, or whose datasource was deleted. */
function MissingDocument({ datasourceId }: Pick<DocumentAddress, 'datasourceId'>): ReactNode {
  const messages = useMessages(documentMessages);
  const { data: datasource } = useDatasource(datasourceId);
  const list: Pick<MissingItemProps, 'list' | 'showAll'> =
    datasource === undefined
      ? { list: { title: messages.datastores, target: { to: 'datastores' } }, showAll: messages.showDatastores }
      : {
          list: { title: datasource.name, target: { to: 'datasource', parameters: { datasourceId } } },
          showAll: messages.openDatasource,
        };
  return <MissingItem {...list} icon={DocumentIcon} title={messages.missing} />;
}

interface DocumentBodyProps {
  readonly address: DocumentAddress;
  readonly fragments: FragmentPages;
  readonly selectedId: string | undefined;
}

function DocumentBody({ address, fragments, selectedId }: DocumentBodyProps): ReactNode {
  const { items, more, search } = fragments;
  const [hoveredId, setHoveredId] = useState<string>();
  const { page, select, openPage } = useSelectedPage(address, items, selectedId);
  const selected = items.find(({ id }) => id === selectedId);
  const lastPage = findLastPage(items);
  const overlapTokens = useOverlapTokens(address);
  const selectNeighbour = (step: number): void => {
    const at = items.findIndex(({ id }) => id === selectedId);
    const next = items[at === -1 ? 0 : at + step];
    if (next !== undefined) select(next);
  };
  useShortcuts([
    { keys: 'j', onPress: () => selectNeighbour(1) },
    { keys: 'k', onPress: () => selectNeighbour(-1) },
  ]);
  const marks = { hoveredId, onHover: setHoveredId, onSelect: select };
  return (
    <div className={joinClasses('document', lastPage === 0 && 'document-text')}>
      <div className="document-fragments">
        <FragmentSummary address={address} fragments={items} hasMore={more.hasMore} />
        {search !== 'found' && <LinkedFragmentNotice {...fragments} />}
        <FragmentList
          {...marks}
          fragments={items}
          isFull={lastPage === 0}
          more={more}
          overlapTokens={overlapTokens}
          selectedId={selectedId}
        />
      </div>
      {lastPage > 0 && (
        <PageViewer
          {...marks}
          address={address}
          fragments={items}
          lastPage={Math.max(lastPage, page)}
          onPage={openPage}
          page={page}
          selected={selected}
        />
      )}
    </div>
  );
}

interface Place {
  readonly page: number;
  readonly select: (fragment: DatasourceFragment) => void;
  readonly openPage: (page: number) => void;
}

/**
 * Returns the number of the open page, and functions that change the address. The open page is the page in the address,
 * or else the page of the selected fragment.
 */
function useSelectedPage(
  { datasourceId, documentKey }: DocumentAddress,
  fragments: readonly DatasourceFragment[],
  fragment: string | undefined,
): Place {
  const openScreen = useOpenScreen();
  const [pageText] = useSearchParameter('page');
  const open = (search: { readonly fragment?: string | undefined; readonly page?: string }): void => {
    const parameters = { datasourceId, documentId: documentKey };
    openScreen({ to: 'document', parameters, search, isReplacing: true });
  };
  const selected = fragments.find(({ id }) => id === fragment) ?? fragments[0];
  const named = Number(pageText);
  const isNamed = Number.isInteger(named) && named >= 1;
  return {
    page: isNamed ? named : ((selected && findFirstPage(selected)) ?? 1),
    select: ({ id }) => open({ fragment: id }),
    openPage: (page) => open({ fragment, page: String(page) }),
  };
}

/**
 * Shows that the fragment in the address is being searched, is not among the loaded fragments, or is not in the
 * document.
 */
function LinkedFragmentNotice({ items, search, continueSearch }: FragmentPages): ReactNode {
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  if (search === 'paused') {
    const forms = { one: messages.fragmentCountOne, other: messages.fragmentCountOther };
    return (
      <p className="page-notice" role="status">
        {messages.notInLoadedPart(formats.plural(items.length, forms))}
        <Button kind="quiet" onClick={continueSearch}>
          {messages.searchFurther}
        </Button>
      </p>
    );
  }
  return (
    <p className="page-notice" role="status">
      {search === 'running' ? messages.looking : messages.missingFragment}
    </p>
  );
}
