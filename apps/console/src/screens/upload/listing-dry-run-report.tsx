import type { ListingDryRun } from '@quarry/client';
import type { ReactNode } from 'react';
import { WarningIcon } from '../../components/icons.js';
import '../../components/panel.css';
import { Table, type Column } from '../../components/table.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { addFinalFullStop } from '../../language/add-final-full-stop.js';
import { findUnknownHost } from '../../language/find-unknown-host.js';
import { useServerTexts } from '../../language/server-texts.js';
import { TechnicalDetails } from '../datasources/technical-details.js';
import { uploadMessages } from './messages.js';

interface ReportProps {
  readonly report: ListingDryRun;
}

/**
 * Shows the report of a dry run of a listing: the number of items, the first problems, the first items and the fields
 * of items.
 */
export function ListingDryRunReport({ report }: ReportProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const formats = useFormats();
  const { totalCount, read, valid, invalid, isComplete, error } = report;
  const counts = messages.dryRunCounts(formats.number(valid), formats.number(invalid));
  return (
    <section aria-labelledby="listing-report" className="panel">
      <h2 id="listing-report">{messages.dryRunReport}</h2>
      {error !== null && <ListingError error={error} />}
      {totalCount !== null && (
        <div>
          <p>{formats.plural(totalCount, { one: messages.dryRunTotalOne, other: messages.dryRunTotalOther })}</p>
          <p>
            {formats.plural(read, { one: messages.dryRunReadOne, other: messages.dryRunReadOther })} {counts}
          </p>
          {!isComplete && error === null && <p className="muted">{messages.dryRunBeginning}</p>}
        </div>
      )}
      <ItemProblems report={report} />
      <FirstListingItems report={report} />
      {report.fields.length > 0 && <FieldTable report={report} />}
    </section>
  );
}

function ListingError({ error }: { readonly error: NonNullable<ListingDryRun['error']> }): ReactNode {
  const messages = useMessages(uploadMessages);
  const { describeReason } = useServerTexts();
  const reason = addFinalFullStop(describeReason(error));
  const isUnknownHost = findUnknownHost(error.message) !== undefined;
  return (
    <div className="notice notice-danger">
      <WarningIcon />
      <div>
        <strong>{messages.dryRunFailed}</strong>
        <p>
          {reason} {isUnknownHost && messages.dryRunCheckAddress}
        </p>
        <TechnicalDetails description={reason} message={error.message} />
      </div>
    </div>
  );
}

function ItemProblems({ report: { problems, invalid } }: ReportProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const formats = useFormats();
  const { describeItemProblem } = useServerTexts();
  if (problems.length === 0) return null;
  return (
    <div className="notice notice-warning">
      <WarningIcon />
      <div>
        <strong>
          {formats.plural(invalid, { one: messages.dryRunInvalidOne, other: messages.dryRunInvalidOther })}
        </strong>
        <ul className="listing-problems">
          {problems.map(({ message }, index) => {
            const { text, language } = describeItemProblem(message);
            return (
              <li key={index} lang={language}>
                {text}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

function FirstListingItems({ report: { firstItems, valid } }: ReportProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const formats = useFormats();
  if (firstItems.length === 0) return null;
  return (
    <div>
      <h3>{formats.plural(valid, { one: messages.dryRunFirstOne, other: messages.dryRunFirstOther })}</h3>
      <ul className="listing-items">
        {firstItems.map(({ itemId, title }) => (
          <li key={itemId}>
            {title} <code className="muted">{itemId}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

function FieldTable({ report: { fields } }: ReportProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const formats = useFormats();
  const columns: readonly Column<ListingDryRun['fields'][number]>[] = [
    { key: 'name', title: messages.dryRunField, kind: 'main', render: ({ name }) => <code>{name}</code> },
    { key: 'items', title: messages.dryRunItems, kind: 'number', render: ({ items }) => formats.number(items) },
    { key: 'example', title: messages.dryRunExample, render: ({ example }) => example ?? '' },
  ];
  return <Table columns={columns} getKey={({ name }) => name} isReadOnly label={messages.dryRunFields} rows={fields} />;
}
