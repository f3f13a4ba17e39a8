import { useRef, useState, type ReactNode } from 'react';
import { Button } from './button.js';
import './field.css';
import { Field, type FieldTexts } from './field.js';
import { FileInput } from './file-input.js';
import { DocumentIcon } from './icons.js';

export interface FileFieldProps extends FieldTexts {
  /** The accepted file extensions, such as `.csv,.txt`. */
  readonly accept: string;
  /** The text of the button that opens the file dialog. */
  readonly choose: string;
  readonly onChange: (file: File) => void;
}

/** Shows a button that opens the file dialog, and the name of the chosen file. */
export function FileField({ accept, choose, onChange, ...texts }: FileFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState<string>();
  return (
    <Field {...texts}>
      {({ id, ...description }) => (
        <div className="file-field">
          <Button {...description} icon={DocumentIcon} onClick={() => input.current?.click()}>
            {choose}
          </Button>
          <FileInput
            accept={accept}
            id={id}
            onFiles={([file]) => {
              if (file === undefined) return;
              setName(file.name);
              onChange(file);
            }}
            ref={input}
          />
          <span aria-live="polite" className="truncate" title={name}>
            {name}
          </span>
        </div>
      )}
    </Field>
  );
}
