import { descriptionText } from './description-text.js';

/** What a customer put into a field of its own, on one line. Empty when it says nothing. */
export function customValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return descriptionText(value).replace(/\s+/g, ' ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return listed(value.map(customValue), ', ');
  return listed(
    Object.entries(value).map(([name, inner]) => prefixed(name, customValue(inner))),
    '; ',
  );
}

/** A field's name as people write it: `care_instructions` is `Care instructions`. */
export function customName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[\s_-]+/g, ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

function prefixed(name: string, value: string): string {
  return value === '' ? '' : `${customName(name)}: ${value}`;
}

function listed(values: readonly string[], separator: string): string {
  return values.filter((value) => value !== '').join(separator);
}
