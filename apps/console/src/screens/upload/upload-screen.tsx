import type { ReactNode } from 'react';
import { isNotFoundError } from '../../components/explain-error.js';
import { Tabs } from '../../components/tabs.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { useScreenParameters, useSearchParameter } from '../../routing/screen-link.js';
import { MissingDatastore } from '../datasources/missing-datastore.js';
import { useDatastore } from '../datasources/use-datasources.js';
import { useLiveDatasources } from '../datasources/use-live-datasources.js';
import { DropArea } from './drop-area.js';
import { FileUploads } from './file-uploads.js';
import { ListingForm } from './listing-form.js';
import { uploadMessages } from './messages.js';
import { WebPageForm, WebSiteForm } from './web-forms.js';
import { TextForm } from './text-form.js';
import { useUploads } from './use-uploads.js';

const KINDS = ['files', 'text', 'page', 'site', 'listing'] as const;

/** Shows the forms that add content to a datastore: files, a text, a web page, a web site or an item listing. */
export function UploadScreen(): ReactNode {
  const messages = useMessages(uploadMessages);
  const { datastoreId } = useScreenParameters('upload');
  const { data: datastore, error } = useDatastore(datastoreId);
  const [kind, setKind] = useSearchParameter('kind');
  const { add } = useUploads(datastoreId);
  useLiveDatasources(datastoreId);
  if (isNotFoundError(error)) return <MissingDatastore />;
  const contents: Readonly<Record<(typeof KINDS)[number], ReactNode>> = {
    files: <FileUploads datastoreId={datastoreId} />,
    text: <TextForm datastoreId={datastoreId} />,
    page: <WebPageForm datastoreId={datastoreId} />,
    site: <WebSiteForm datastoreId={datastoreId} />,
    listing: <ListingForm datastoreId={datastoreId} />,
  };
  return (
    <DropArea
      onFiles={(files) => {
        add(files);
        setKind(undefined);
      }}
    >
      <PageHeader
        title={messages.title}
        trail={[
          { title: messages.datastores, target: { to: 'datastores' } },
          { title: datastore?.name ?? '…', target: { to: 'datastore', parameters: { datastoreId } } },
        ]}
      />
      <div className="page upload">
        <Tabs
          label={messages.kinds}
          onChange={(next) => setKind(next === 'files' ? undefined : next)}
          tabs={KINDS.map((name) => ({ name, title: messages[name], content: contents[name] }))}
          value={KINDS.find((name) => name === kind) ?? 'files'}
        />
      </div>
    </DropArea>
  );
}
