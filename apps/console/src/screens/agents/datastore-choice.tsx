import type { ReactNode } from 'react';
import { ChoiceList } from '../../components/choice-list.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { useAllDatastores } from '../datastores/use-datastores.js';
import { agentsMessages } from './messages.js';
import { useExistingDatastores } from './use-existing-datastores.js';

export interface DatastoreChoiceProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Shows a list in which the user chooses the datastores of an agent. */
export function DatastoreChoice({ chosen, onChange }: DatastoreChoiceProps): ReactNode {
  const messages = useMessages(agentsMessages);
  const datastores = useAllDatastores();
  const { items: loaded, isPending, error, refetch, more } = datastores;
  // Chosen datastores beyond the loaded ones are added, so that the list shows them first.
  const others = useExistingDatastores(chosen, datastores).filter((one) => !loaded.includes(one));
  const items = [...loaded, ...others];
  return (
    <fieldset className="field-group">
      <legend>{messages.datastores}</legend>
      <p className="field-hint">{messages.datastoresHint}</p>
      {isPending && <Skeleton lines={2} />}
      {error !== null && <ErrorNotice error={error} onRetry={refetch} />}
      {!isPending && error === null && items.length === 0 && <p className="muted">{messages.noDatastores}</p>}
      {items.length > 0 && (
        <ChoiceList chosen={chosen} items={items} label={messages.datastores} more={more} onChange={onChange} />
      )}
    </fieldset>
  );
}
