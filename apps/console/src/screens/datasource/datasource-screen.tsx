import { useState, type ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { DocumentIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { Tabs } from '../../components/tabs.js';
import { useMessages } from '../../language/language-context.js';
import { MissingItem } from '../../page/missing-item.js';
import { PageHeader } from '../../page/page-header.js';
import { useOpenScreen, useScreenParameters, useSearchParameter } from '../../routing/screen-link.js';
import { RunStatus } from '../datasources/datasource-status.js';
import '../datasources/datasources.css';
import { DeleteDatasourcesDialog } from '../datasources/delete-datasources-dialog.js';
import { useDatasource, useDatastore } from '../datasources/use-datasources.js';
import '../upload/upload.css';
import { DatasourceActions } from './datasource-actions.js';
import './datasource.css';
import { DocumentsTab } from './documents-tab.js';
import { datasourceMessages } from './messages.js';
import { DatasourceOverview } from './datasource-overview.js';
import { RunsTab } from './runs-tab.js';
import { SettingsTab } from './settings-tab.js';
import { useLiveDatasource, useDatasourceRuns } from './use-datasource-details.js';

const TABS = ['overview', 'documents', 'runs', 'settings'] as const;

/** Shows a datasource with its current run, documents, past runs and settings. */
export function DatasourceScreen(): ReactNode {
  const messages = useMessages(datasourceMessages);
  const { datasourceId } = useScreenParameters('datasource');
  const [tab, setTab] = useSearchParameter('tab');
  const [isDeleting, setIsDeleting] = useState(false);
  const openScreen = useOpenScreen();
  const { data: datasource, error, refetch } = useDatasource(datasourceId);
  const { data: datastore } = useDatastore(datasource?.datastoreId);
  const runs = useDatasourceRuns(datasourceId);
  useLiveDatasource(datasourceId);
  if (datasource === undefined || isNotFoundError(error)) {
    return <MissingDatasource error={error} onRetry={() => void refetch()} />;
  }
  const { datastoreId, name, status } = datasource;
  const contents: Readonly<Record<(typeof TABS)[number], ReactNode>> = {
    overview: runs.isPending ? <Skeleton lines={8} /> : <DatasourceOverview datasource={datasource} runs={runs} />,
    documents: <DocumentsTab datasourceId={datasourceId} />,
    runs: <RunsTab runs={runs} />,
    settings: <SettingsTab datasource={datasource} />,
  };
  return (
    <>
      <PageHeader
        actions={<DatasourceActions datasource={datasource} onDelete={() => setIsDeleting(true)} />}
        status={<RunStatus status={status} />}
        title={name}
        trail={[
          { title: messages.datastores, target: { to: 'datastores' } },
          { title: datastore?.name ?? messages.datastore, target: { to: 'datastore', parameters: { datastoreId } } },
        ]}
      />
      <div className="page">
        <Tabs
          label={messages.parts}
          onChange={(next) => setTab(next === 'overview' ? undefined : next)}
          tabs={TABS.map((part) => ({ name: part, title: messages[part], content: contents[part] }))}
          value={TABS.find((part) => part === tab) ?? 'overview'}
        />
      </div>
      <DeleteDatasourcesDialog
        datasources={isDeleting ? [datasource] : []}
        onClose={() => setIsDeleting(false)}
        onDeleted={() => openScreen({ to: 'datastore', parameters: { datastoreId } })}
      />
    </>
  );
}

interface MissingDatasourceProps {
  readonly error: Error | null;
  readonly onRetry: () => void;
}

/** Shows a placeholder for a datasource that is loading, was deleted or could not be loaded. */
function MissingDatasource({ error, onRetry }: MissingDatasourceProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  if (isNotFoundError(error)) {
    return (
      <MissingItem
        icon={DocumentIcon}
        list={{ title: messages.datastores, target: { to: 'datastores' } }}
        showAll={messages.showDatastores}
        title={messages.missing}
      />
    );
  }
  return (
    <>
      <PageHeader title={messages.datasource} trail={[{ title: messages.datastores, target: { to: 'datastores' } }]} />
      <div className="page">
        {error === null ? (
          <Skeleton lines={6} />
        ) : (
          <ErrorNotice error={error} onRetry={onRetry} title={messages.loadFailed} />
        )}
      </div>
    </>
  );
}
