import type { ReactNode } from 'react';
import '../../components/field.css';
import { useMessages } from '../../language/language-context.js';
import { datasourcesMessages } from './messages.js';

export interface TechnicalDetailsProps {
  /** The reason of a failure as the API returns it, in English. */
  readonly message: string;
  /** The description of the failure that the console shows. */
  readonly description: string;
}

/** Shows the original text of a failure folded. Shows nothing if the description contains the whole text. */
export function TechnicalDetails({ message, description }: TechnicalDetailsProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  if (description.toLowerCase().includes(message.toLowerCase())) return null;
  return (
    <details className="disclosure">
      <summary>{messages.technicalDetails}</summary>
      <p lang="en">{message}</p>
    </details>
  );
}
