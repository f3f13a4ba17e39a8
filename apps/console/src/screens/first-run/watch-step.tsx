import type { ReactNode } from 'react';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { RunProgress, RunStatus, TYPE_ICONS } from '../datasources/datasource-status.js';
import { useDatasources } from '../datasources/use-datasources.js';
import { useLiveDatasources } from '../datasources/use-live-datasources.js';
import { UploadRow } from '../upload/upload-row.js';
import { useUploads } from '../upload/use-uploads.js';
import { firstRunMessages } from './messages.js';

/** Maximum number of datasources that are shown. The screen of the datastore shows all of them. */
const SHOWN = 6;

/** Shows the second step: the newest content with its live status. */
export function WatchStep({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(firstRunMessages);
  const { describeReason } = useServerTexts();
  useLiveDatasources(datastoreId);
  const { uploads, cancel, retry } = useUploads(datastoreId);
  const { items, isPending } = useDatasources(datastoreId, {});
  const open = uploads.filter(({ state }) => state !== 'done').slice(0, SHOWN);
  if (isPending) return <Skeleton lines={2} />;
  if (items.length === 0 && open.length === 0) return <p className="muted">{messages.watchHint}</p>;
  return (
    <>
      <ul className="watched">
        {open.map((upload) => (
          <li className="watched-upload" key={`upload ${upload.id}`}>
            <UploadRow onCancel={() => cancel(upload.id)} onRetry={() => retry(upload.id)} upload={upload} />
          </li>
        ))}
        {items.slice(0, SHOWN).map((datasource) => {
          const { id, name, type, status, error } = datasource;
          const TypeIcon = TYPE_ICONS[type];
          return (
            <li className="watched-item" key={id}>
              <TypeIcon />
              <ScreenLink className="truncate" parameters={{ datasourceId: id }} title={name} to="datasource">
                {name}
              </ScreenLink>
              <span className={error === null ? 'muted truncate' : 'upload-refused truncate'}>
                {error === null ? <RunProgress datasource={datasource} /> : describeReason(error)}
              </span>
              <RunStatus status={status} />
            </li>
          );
        })}
      </ul>
      <p>
        <ScreenLink parameters={{ datastoreId }} to="datastore">
          {messages.toDatastore}
        </ScreenLink>
      </p>
    </>
  );
}
