import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../../api/client-context.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { DropArea } from '../upload/drop-area.js';
import type { ChosenFile } from '../upload/upload-queue.js';
import { findOrCreateUploadQueue } from '../upload/use-uploads.js';
import { AddContentStep } from './add-content-step.js';
import { AskStep } from './ask-step.js';
import './first-run.css';
import { firstRunMessages } from './messages.js';
import { useFirstDatastore, type FirstDatastore } from './use-first-datastore.js';
import { WatchStep } from './watch-step.js';

/** Guides the user to the first answer in three steps: add content, watch its progress, ask a question. */
export function FirstRunScreen(): ReactNode {
  const messages = useMessages(firstRunMessages);
  const client = useClient();
  const first = useFirstDatastore();
  const { mutate: addFiles, error } = useMutation({
    mutationFn: async (files: readonly ChosenFile[]) => {
      findOrCreateUploadQueue(client, await first.requireDatastore()).add(files);
    },
  });
  return (
    <DropArea onFiles={addFiles}>
      <PageHeader title={messages.title} />
      <div className="page first-run">
        <p className="page-intro">{messages.intro}</p>
        {first.isPending && <Skeleton lines={6} />}
        {first.error !== null && (
          <ErrorNotice error={first.error} onRetry={first.refetch} title={messages.loadFailed} />
        )}
        {!first.isPending && first.error === null && <FirstRunSteps error={error} first={first} onFiles={addFiles} />}
      </div>
    </DropArea>
  );
}

interface FirstRunStepsProps {
  readonly first: FirstDatastore;
  readonly onFiles: (files: readonly ChosenFile[]) => void;
  readonly error: Error | null;
}

function FirstRunSteps({ first, onFiles, error }: FirstRunStepsProps): ReactNode {
  const messages = useMessages(firstRunMessages);
  const { datastore } = first;
  return (
    <ol className="steps">
      <FirstRunStep title={messages.addTitle}>
        <AddContentStep error={error} first={first} onFiles={onFiles} />
      </FirstRunStep>
      <FirstRunStep title={messages.watchTitle}>
        {datastore === undefined ? (
          <p className="muted">{messages.watchHint}</p>
        ) : (
          <WatchStep datastoreId={datastore.id} />
        )}
      </FirstRunStep>
      <FirstRunStep title={messages.askTitle}>
        {datastore === undefined ? (
          <p className="muted">{messages.askWait}</p>
        ) : (
          <AskStep datastore={datastore} isReturn={first.isReturn} key={datastore.id} />
        )}
      </FirstRunStep>
    </ol>
  );
}

function FirstRunStep({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <li className="step">
      <h2>{title}</h2>
      <div className="step-content">{children}</div>
    </li>
  );
}
