import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { useClient } from '../../api/client-context.js';
import { DropArea } from '../upload/drop-area.js';
import type { ChosenFile } from '../upload/upload-queue.js';
import { findUploadQueue } from '../upload/use-uploads.js';
import { AddStep } from './add-step.js';
import { AskStep } from './ask-step.js';
import './first-run.css';
import { firstRunMessages } from './messages.js';
import { useFirstDatastore } from './use-first-datastore.js';
import { WatchStep } from './watch-step.js';

/**
 * Guides the user from an empty installation to the first answer in three steps: add content, watch its progress, ask a
 * question.
 */
export function FirstRunScreen(): ReactNode {
  const messages = useMessages(firstRunMessages);
  const client = useClient();
  const { datastoreId, requireDatastore } = useFirstDatastore();
  const { mutate: addFiles, error } = useMutation({
    mutationFn: async (files: readonly ChosenFile[]) => {
      findUploadQueue(client, await requireDatastore()).add(files);
    },
  });
  return (
    <DropArea onFiles={addFiles}>
      <PageHeader title={messages.title} />
      <div className="page first-run">
        <p className="page-intro">{messages.intro}</p>
        <ol className="steps">
          <Step title={messages.addTitle}>
            <AddStep datastoreId={datastoreId} error={error} onFiles={addFiles} requireDatastore={requireDatastore} />
          </Step>
          <Step title={messages.watchTitle}>
            {datastoreId === undefined ? (
              <p className="muted">{messages.watchHint}</p>
            ) : (
              <WatchStep datastoreId={datastoreId} />
            )}
          </Step>
          <Step title={messages.askTitle}>
            {datastoreId === undefined ? (
              <p className="muted">{messages.askWait}</p>
            ) : (
              <AskStep datastoreId={datastoreId} />
            )}
          </Step>
        </ol>
      </div>
    </DropArea>
  );
}

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <li className="step">
      <h2>{title}</h2>
      <div className="step-content">{children}</div>
    </li>
  );
}
