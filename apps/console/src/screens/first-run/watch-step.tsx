import type { Datasource } from '@quarry/client';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { PathName } from '../../components/path-name.js';
import { Skeleton } from '../../components/skeleton.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { RunStatus, TYPE_ICONS } from '../datasources/datasource-status.js';
import { DatasourceRowNote } from '../datasources/datasource-row-note.js';
import { useDatasources } from '../datasources/use-datasources.js';
import { useLiveDatasources } from '../datasources/use-live-datasources.js';
import { UploadRow } from '../upload/upload-row.js';
import { useUploads } from '../upload/use-uploads.js';
import { firstRunMessages } from './messages.js';

/** Maximum number of uploads, and of datasources, that the step shows. Links open the screens that list all of them. */
const SHOWN = 10;

/** Shows the second step: the newest uploads and datasources with their live status. */
export function WatchStep({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(firstRunMessages);
  const formats = useFormats();
  useLiveDatasources(datastoreId);
  const { uploads, cancel, retry, clear } = useUploads(datastoreId);
  const { items, isPending, error, refetch, more } = useDatasources(datastoreId, {});
  const open = uploads.filter(({ state }) => state !== 'done');
  if (isPending) return <Skeleton lines={2} />;
  if (items.length === 0 && open.length === 0) {
    if (error !== null) return <ErrorNotice error={error} onRetry={refetch} />;
    return <p className="muted">{messages.watchHint}</p>;
  }
  const hiddenUploads = open.length - SHOWN;
  const hiddenItems = items.length - SHOWN;
  return (
    <>
      <ul className="watched">
        {open.slice(0, SHOWN).map((upload) => (
          <li key={`upload ${upload.id}`}>
            <UploadRow
              onCancel={() => cancel(upload.id)}
              onRemove={() => clear(upload.id)}
              onRetry={() => retry(upload.id)}
              upload={upload}
            />
          </li>
        ))}
        {items.slice(0, SHOWN).map((datasource) => (
          <li key={datasource.id}>
            <DatasourceItem datasource={datasource} />
          </li>
        ))}
      </ul>
      <p className="watched-links">
        {hiddenUploads > 0 && (
          <ScreenLink parameters={{ datastoreId }} to="upload">
            {formats.plural(hiddenUploads, { one: messages.moreUploadsOne, other: messages.moreUploadsOther })}
          </ScreenLink>
        )}
        <ScreenLink parameters={{ datastoreId }} to="datastore">
          {hiddenItems > 0
            ? messages.moreDatasources(`${formats.number(hiddenItems)}${more.hasMore ? '+' : ''}`)
            : messages.toDatastore}
        </ScreenLink>
      </p>
    </>
  );
}

function DatasourceItem({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { id, name, type, status } = datasource;
  const TypeIcon = TYPE_ICONS[type];
  return (
    <div className="watched-item">
      <TypeIcon />
      <div className="datasource-name">
        <ScreenLink className="truncate" parameters={{ datasourceId: id }} title={name} to="datasource">
          <PathName name={name} />
        </ScreenLink>
        <DatasourceRowNote datasource={datasource} />
      </div>
      <RunStatus status={status} />
    </div>
  );
}
