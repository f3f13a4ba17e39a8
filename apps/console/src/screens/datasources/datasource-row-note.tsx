import type { Datasource } from '@quarry/client';
import type { ReactNode } from 'react';
import { useMessages } from '../../language/language-context.js';
import { addFinalFullStop } from '../../language/add-final-full-stop.js';
import { useServerTexts } from '../../language/server-texts.js';
import { findRowRemedy, remedyMessages, removeAdvice } from './remedies.js';
import { RunProgress } from './datasource-status.js';
import './datasource-row-note.css';
import { RunNotes } from './run-notes.js';
import { statusMessages } from './status-messages.js';
import { hasOpenRun } from './use-datasource-actions.js';

/**
 * Shows one line below the name of a datasource. After a failure, it shows the reason and the next step. During a run,
 * it shows the progress, or the reason of a failed attempt. Otherwise, it shows the notes on the last run, or the type
 * of the datasource.
 */
export function DatasourceRowNote({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const messages = useMessages(statusMessages);
  const remedies = useMessages(remedyMessages);
  const { describeReason } = useServerTexts();
  const { error, status, type, run } = datasource;
  if (error !== null) {
    const remedy = findRowRemedy(error, type);
    const reason = describeReason(removeAdvice(error));
    const text = remedy === undefined ? reason : `${addFinalFullStop(reason)} ${remedies[remedy]}`;
    return (
      <span className="datasource-note datasource-reason truncate" title={text}>
        {text}
      </span>
    );
  }
  if (hasOpenRun({ status })) {
    const retried = run?.lastError ?? null;
    return (
      <span className="datasource-note truncate" title={retried?.message}>
        {retried === null ? <RunProgress datasource={datasource} /> : describeReason(retried)}
      </span>
    );
  }
  const hasNotes = run !== null && run.notes.length > 0;
  return (
    <span className="datasource-note truncate" title={run?.note ?? undefined}>
      {hasNotes ? <RunNotes run={run} /> : messages[type]}
    </span>
  );
}
