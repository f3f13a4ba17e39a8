import type { ReactNode } from 'react';
import { Checkbox } from '../../components/checkbox.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { agentsMessages } from './messages.js';
import { useDatastoreChoices } from './use-agents.js';

export interface DatastoreChoiceProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses the datastores of an agent. */
export function DatastoreChoice({ chosen, onChange }: DatastoreChoiceProps): ReactNode {
  const messages = useMessages(agentsMessages);
  const { data, isPending } = useDatastoreChoices();
  return (
    <fieldset className="field-group">
      <legend>{messages.datastores}</legend>
      <p className="field-hint">{messages.datastoresHint}</p>
      {isPending && <Skeleton lines={2} />}
      {data?.length === 0 && <p className="muted">{messages.noDatastores}</p>}
      <div className="choices">
        {data?.map(({ id, name }) => (
          <Checkbox
            isChecked={chosen.includes(id)}
            key={id}
            label={name}
            onChange={(isChecked) => onChange(isChecked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ))}
      </div>
    </fieldset>
  );
}
