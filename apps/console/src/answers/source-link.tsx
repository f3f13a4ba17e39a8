import type { AnswerSource } from '@quarry/client';
import type { ReactNode } from 'react';
import { ScreenLink } from '../routing/screen-link.js';

export interface SourceLinkProps {
  readonly source: AnswerSource;
  readonly className?: string;
  readonly label?: string;
  readonly children: ReactNode;
}

/** Shows a link to a passage in its document, or to the datasource of the passage if the source has no document key. */
export function SourceLink({ source, className = '', label, children }: SourceLinkProps): ReactNode {
  const { datasource_id: datasourceId, document_key: documentId } = source;
  const attributes = { className, children, ...(label === undefined ? {} : { 'aria-label': label, title: label }) };
  const search = { fragment: source.chunk_id };
  if (documentId === null) {
    return <ScreenLink {...attributes} parameters={{ datasourceId }} search={search} to="datasource" />;
  }
  return <ScreenLink {...attributes} parameters={{ datasourceId, documentId }} search={search} to="document" />;
}
