import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listReadVariables, READERS } from './environment-readers.js';

const OPERATIONS = fileURLToPath(new URL('../../../../docs/operations.md', import.meta.url));

const SERVICES = Object.keys(READERS);
const readVariables = new Map(Object.entries(READERS).map(([name, read]) => [name, listReadVariables(read)]));

interface DocumentedVariable {
  readonly variable: string;
  readonly services: readonly string[];
}

/**
 * Variables in the tables of settings in docs/operations.md, each with the services that read it. In a row of these
 * tables, the first cell contains variables and the second cell contains services.
 */
const documented: readonly DocumentedVariable[] = readFileSync(OPERATIONS, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, first = '', second = ''] = line.split('|').map((cell) => cell.trim());
    const services = parseServiceNames(second);
    return services.length === 0
      ? []
      : [...first.matchAll(/`([A-Z][A-Z0-9_<>]+)`/g)].map(([, variable = '']) => ({ variable, services }));
  });

function parseServiceNames(cell: string): readonly string[] {
  if (cell === 'all') return SERVICES;
  const [, but] = /^all but ([a-z-]+)$/.exec(cell) ?? [];
  if (but !== undefined) return SERVICES.filter((name) => name !== but);
  return cell.split(', ').filter((name) => SERVICES.includes(name));
}

/**
 * Returns whether a documented name matches a variable. `QUARRY_MODEL_<NAME>` matches all variables that begin with
 * `QUARRY_MODEL_`.
 */
function matchesVariable(pattern: string, variable: string): boolean {
  return pattern.endsWith('_<NAME>') ? variable.startsWith(pattern.slice(0, -'<NAME>'.length)) : pattern === variable;
}

function isReadBy(service: string, pattern: string): boolean {
  return [...(readVariables.get(service) ?? [])].some((variable) => matchesVariable(pattern, variable));
}

describe('the variables of docs/operations.md', () => {
  it('each variable in docs/operations.md is read by each service that the document lists for it', () => {
    expect(documented.length).toBeGreaterThan(80);
    const wrong = documented
      .flatMap(({ variable, services }) => services.map((service) => ({ variable, service })))
      .filter(({ variable, service }) => !isReadBy(service, variable))
      .map(({ variable, service }) => `${variable} is not read by ${service}`);
    expect(wrong).toEqual([]);
  });

  it.each(SERVICES)('docs/operations.md documents every variable that %s reads', (name) => {
    const read = [...(readVariables.get(name) ?? [])].filter((variable) => !variable.endsWith('_FILE'));
    expect(read.filter((variable) => !documented.some((known) => matchesVariable(known.variable, variable)))).toEqual(
      [],
    );
  });
});
