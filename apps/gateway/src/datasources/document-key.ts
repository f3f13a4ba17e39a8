/** What names a document inside its datastore: sending the same key again replaces the document. */
export interface DocumentNames {
  /** The caller's id for the document. */
  readonly id?: string | null | undefined;
  readonly customId?: string | null | undefined;
  /** The file name, or the title. */
  readonly name?: string | null | undefined;
}

/** The caller's id, else the custom id, else the name; undefined when there is none of them. Empty is none. */
export function documentKeyOf({ id, customId, name }: DocumentNames): string | undefined {
  return (
    [id, customId, name].find((candidate) => candidate !== undefined && candidate !== null && candidate !== '') ??
    undefined
  );
}

/**
 * What names an uploaded file inside its datastore: its custom id and its name together. A custom id alone may stand for a
 * tenant, whose second file must not replace the first.
 */
export function fileKeyOf(customId: string | null, name: string): string {
  return customId === null ? name : JSON.stringify([customId, name]);
}
