import type { ReactNode } from 'react';
import './path-name.css';

/** The text between the names of folders and files in the name of an uploaded file. */
export const FOLDER_SEPARATOR = ' › ';

/**
 * Shows a name on one line. If a name with folders is too long, its folders are shortened, because files differ in the
 * last part of their names.
 */
export function PathName({ name }: { readonly name: string }): ReactNode {
  const folders = name.lastIndexOf(FOLDER_SEPARATOR);
  if (folders === -1) return name;
  const start = folders + FOLDER_SEPARATOR.length;
  return (
    <span className="path-name">
      <span className="path-name-folders truncate">{name.slice(0, start)}</span>
      <span className="truncate">{name.slice(start)}</span>
    </span>
  );
}
