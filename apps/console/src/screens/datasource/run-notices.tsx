import type { Datasource } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import '../../components/panel.css';
import { PreviewIcon, RetryIcon, WarningIcon } from '../../components/icons.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { addFinalFullStop } from '../../language/add-final-full-stop.js';
import { useServerTexts } from '../../language/server-texts.js';
import { isDryRunResult, RunNoteList } from '../datasources/run-notes.js';
import { datasourceMessages } from './messages.js';
import { findRemedy, remedyMessages, removeAdvice } from '../datasources/remedies.js';
import { TechnicalDetails } from '../datasources/technical-details.js';
import { useStartSync } from './use-datasource-details.js';

interface NoticeProps {
  readonly datasource: Datasource;
}

/**
 * Shows notices on the latest run: its failure, the next attempt after a failed one, its notes, and a removal of many
 * documents that the user must confirm.
 */
export function RunNotices({ datasource }: NoticeProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  const { run } = datasource;
  // The notice that asks for confirmation of a removal also contains the notes of the run.
  const hasReport =
    run !== null && run.notes.length > 0 && (isDryRunResult(run) || run.removal?.needsConfirmation !== true);
  return (
    <>
      <FailureNotice datasource={datasource} />
      <RetryNotice datasource={datasource} />
      {hasReport && (
        <div className="notice">
          <PreviewIcon />
          <div>
            <strong>{isDryRunResult(run) ? messages.dryRunNote : messages.note}</strong>
            <RunNoteList run={run} />
          </div>
        </div>
      )}
      <RemovalGuardNotice datasource={datasource} />
    </>
  );
}

function FailureNotice({ datasource }: NoticeProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  const remedies = useMessages(remedyMessages);
  const { describeReason } = useServerTexts();
  const { error, type } = datasource;
  if (error === null) return null;
  const failure = removeAdvice(error);
  const reason = addFinalFullStop(describeReason(failure));
  return (
    <div className="notice notice-danger" role="alert">
      <WarningIcon />
      <div>
        <strong>{messages.failedTitle}</strong>
        <p>{reason}</p>
        <p>
          {messages.next} {remedies[findRemedy(error, type)]} <code className="muted">{error.code}</code>
        </p>
        <TechnicalDetails description={reason} message={failure.message} />
      </div>
    </div>
  );
}

function RetryNotice({ datasource }: NoticeProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  const formats = useFormats();
  const { describeReason } = useServerTexts();
  const last = datasource.run?.lastError ?? null;
  if (last === null) return null;
  const reason = addFinalFullStop(describeReason(last));
  return (
    <div className="notice notice-warning" role="status">
      <RetryIcon />
      <div>
        <strong>{messages.retryTitle}</strong>
        <p>
          {messages.retryText(reason, formats.number(last.attempt))} <RelativeTime value={last.nextAttemptAt} />.
        </p>
        <TechnicalDetails description={reason} message={last.message} />
      </div>
    </div>
  );
}

/**
 * Shows a notice that asks the user to confirm that a sync may remove many documents. Shows nothing if no confirmation
 * is needed.
 */
function RemovalGuardNotice({ datasource }: NoticeProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  const formats = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  const { mutate, isPending, error } = useStartSync(datasource.id);
  const { run } = datasource;
  if (run?.removal?.needsConfirmation !== true) return null;
  const { removal } = run;
  const missing = formats.number(removal.documents);
  const known = formats.plural(removal.of, { one: messages.knownOne, other: messages.knownOther });
  const guardTitle = { one: messages.guardTitleOne(known), other: messages.guardTitleOther(known) };
  const guardAction = formats.plural(removal.documents, {
    one: messages.guardActionOne,
    other: messages.guardActionOther,
  });
  return (
    <div className="notice notice-warning" role="alert">
      <WarningIcon />
      <div>
        <strong>{formats.plural(removal.documents, guardTitle)}</strong>
        <p>
          {(isDryRunResult(run) ? messages.guardDryRunText : messages.guardText)(formats.percent(removal.threshold))}
        </p>
        {!isDryRunResult(run) && (
          <details className="disclosure">
            <summary>{messages.note}</summary>
            <RunNoteList run={run} />
          </details>
        )}
      </div>
      <Button onClick={() => setIsOpen(true)}>{guardAction}</Button>
      <ConfirmDialog
        action={guardAction}
        error={error}
        isBusy={isPending}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onConfirm={() => mutate({ allowMassRemoval: true }, { onSuccess: () => setIsOpen(false) })}
        title={guardAction}
        typedName={missing}
      >
        {messages.guardConfirm(missing)}
      </ConfirmDialog>
    </div>
  );
}
