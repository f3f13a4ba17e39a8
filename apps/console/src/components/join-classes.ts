/** Joins the names of CSS classes and leaves out absent ones. */
export function joinClasses(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== false && name !== undefined && name !== '').join(' ');
}
