import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { IconButton } from '../../components/icon-button.js';
import { CloseIcon, PlusIcon } from '../../components/icons.js';
import { FieldError } from '../../components/field-error.js';
import type { FieldProblem } from '../../components/find-field-error.js';
import { TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { uploadMessages } from './messages.js';

/** The name and value of an HTTP header, as entered in the form. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

export interface HeadersFieldProps {
  readonly lines: readonly HeaderLine[];
  readonly error: FieldProblem | undefined;
  readonly onChange: (lines: readonly HeaderLine[]) => void;
}

/** Shows the fields for the HTTP headers of the requests that Quarry sends to a listing. */
export function HeadersField({ lines, error, onChange }: HeadersFieldProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const changeLine = (index: number, change: Partial<HeaderLine>): void => {
    onChange(lines.map((line, at) => (at === index ? { ...line, ...change } : line)));
  };
  return (
    <fieldset className="field-group">
      <legend>{messages.headers}</legend>
      {lines.map(({ name, value }, index) => (
        <div className="header-line" key={index}>
          <TextField
            isCode
            isLabelHidden
            label={messages.headerName}
            onChange={(next) => changeLine(index, { name: next })}
            placeholder="Authorization"
            value={name}
          />
          <TextField
            isCode
            isLabelHidden
            label={messages.headerValue}
            onChange={(next) => changeLine(index, { value: next })}
            placeholder="Bearer …"
            value={value}
          />
          <IconButton
            icon={CloseIcon}
            label={messages.removeHeader}
            onClick={() => onChange(lines.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button icon={PlusIcon} onClick={() => onChange([...lines, { name: '', value: '' }])}>
          {messages.addHeader}
        </Button>
      </div>
      {error === undefined ? <p className="field-hint">{messages.headersHint}</p> : <FieldError error={error} />}
    </fieldset>
  );
}

/** Builds the headers from the lines of the form. Omits lines without a name. */
export function buildHeaders(lines: readonly HeaderLine[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.flatMap(({ name, value }) => (name.trim() === '' ? [] : [[name.trim(), value.trim()]])),
  );
}
