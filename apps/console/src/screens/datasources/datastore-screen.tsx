import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { DocumentIcon, PlusIcon, SearchIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { useOpenScreen, useScreenParameters } from '../../routing/screen-link.js';
import { ExpiryBadge, ExpiryNotice } from '../datastores/expiry.js';
import { DropArea } from '../upload/drop-area.js';
import { useUploads } from '../upload/use-uploads.js';
import { AskLink } from './ask-link.js';
import { DatasourceFilters, useDatasourceFilter, useDatasourceOrder } from './datasource-filters.js';
import { DatasourceList } from './datasource-list.js';
import './datasources.css';
import { datasourcesMessages } from './messages.js';
import { MissingDatastore } from './missing-datastore.js';
import { SearchLink } from './search-link.js';
import { useDatasources, useDatastore } from './use-datasources.js';
import { useLiveDatasources } from './use-live-datasources.js';

/** Shows the datasources of a datastore. The user can drop files anywhere on the screen. */
export function DatastoreScreen(): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const { datastoreId } = useScreenParameters('datastore');
  const openScreen = useOpenScreen();
  const { add } = useUploads(datastoreId);
  const { data: datastore, error } = useDatastore(datastoreId);
  const filter = useDatasourceFilter();
  const [order] = useDatasourceOrder();
  const list = useDatasources(datastoreId, { ...filter, order });
  const [seen, setSeen] = useState(0);
  useLiveDatasources(datastoreId);
  if (list.items.length > seen) setSeen(list.items.length);
  if (isNotFoundError(error) || isNotFoundError(list.error)) return <MissingDatastore />;
  const openUpload = (): void => openScreen({ to: 'upload', parameters: { datastoreId } });
  const addButton = (
    <Button icon={PlusIcon} kind="primary" onClick={openUpload}>
      {messages.add}
    </Button>
  );
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const isEmpty = !list.isPending && list.error === null && list.items.length === 0;
  return (
    <DropArea
      onFiles={(files) => {
        add(files);
        openUpload();
      }}
    >
      <PageHeader
        actions={
          <>
            {seen > 0 && (
              <>
                <AskLink datastoreId={datastoreId} />
                <SearchLink datastoreId={datastoreId} />
              </>
            )}
            {!(isEmpty && !isFiltered) && addButton}
          </>
        }
        status={datastore !== undefined && <ExpiryBadge expiry={datastore.expiry} />}
        title={datastore?.name ?? ' '}
        trail={[{ title: messages.datastores, target: { to: 'datastores' } }]}
      />
      <div className="page page-full datasources">
        {datastore !== undefined && <ExpiryNotice expiry={datastore.expiry} />}
        {list.error !== null && <ErrorNotice error={list.error} onRetry={list.refetch} title={messages.loadFailed} />}
        {(isFiltered || seen > 0) && <DatasourceFilters datasources={list.items} />}
        {isEmpty && !isFiltered && (
          <EmptyState actions={addButton} icon={DocumentIcon} title={messages.emptyTitle}>
            {messages.emptyText}
          </EmptyState>
        )}
        {isEmpty && isFiltered && <NoMatchingDatasources datastoreId={datastoreId} />}
        {list.isPending && <Skeleton lines={8} shape="rows" />}
        {list.items.length > 0 && <DatasourceList datasources={list.items} more={list.more} />}
      </div>
    </DropArea>
  );
}

function NoMatchingDatasources({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const openScreen = useOpenScreen();
  const clear = (
    <Button onClick={() => openScreen({ to: 'datastore', parameters: { datastoreId } })}>
      {messages.clearFilters}
    </Button>
  );
  return (
    <EmptyState actions={clear} icon={SearchIcon} title={messages.noneTitle}>
      {messages.noneText}
    </EmptyState>
  );
}
