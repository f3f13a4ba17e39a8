import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { askedBy, READERS } from './environment-readers.js';

const OPERATIONS = fileURLToPath(new URL('../../../../docs/operations.md', import.meta.url));

const SERVICES = Object.keys(READERS);
const asked = new Map(Object.entries(READERS).map(([name, read]) => [name, askedBy(read)]));

interface Documented {
  readonly variable: string;
  readonly services: readonly string[];
}

/** Reads the rows of the settings tables whose first cell names variables, and whose second names services. */
const documented: readonly Documented[] = readFileSync(OPERATIONS, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, first = '', second = ''] = line.split('|').map((cell) => cell.trim());
    const services = servicesOf(second);
    return services.length === 0
      ? []
      : [...first.matchAll(/`([A-Z][A-Z0-9_<>]+)`/g)].map(([, variable = '']) => ({ variable, services }));
  });

function servicesOf(cell: string): readonly string[] {
  if (cell === 'all') return SERVICES;
  const [, but] = /^all but ([a-z-]+)$/.exec(cell) ?? [];
  if (but !== undefined) return SERVICES.filter((name) => name !== but);
  return cell.split(', ').filter((name) => SERVICES.includes(name));
}

/** `QUARRY_MODEL_<NAME>` stands for a family. */
function matches(pattern: string, variable: string): boolean {
  return pattern.endsWith('_<NAME>') ? variable.startsWith(pattern.slice(0, -'<NAME>'.length)) : pattern === variable;
}

function reads(service: string, pattern: string): boolean {
  return [...(asked.get(service) ?? [])].some((variable) => matches(pattern, variable));
}

describe('the variables that docs/operations.md has', () => {
  it('are read by a service that it names', () => {
    expect(documented.length).toBeGreaterThan(80);
    const wrong = documented
      .filter(({ variable, services }) => !services.some((name) => reads(name, variable)))
      .map(({ variable, services }) => `${variable} is not read by ${services.join(' or ')}`);
    expect(wrong).toEqual([]);
  });

  it.each(SERVICES)('are all that %s reads', (name) => {
    const read = [...(asked.get(name) ?? [])].filter((variable) => !variable.endsWith('_FILE'));
    expect(read.filter((variable) => !documented.some((known) => matches(known.variable, variable)))).toEqual([]);
  });
});
