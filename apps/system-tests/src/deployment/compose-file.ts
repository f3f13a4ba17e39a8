import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const FILE = fileURLToPath(new URL('../../../../docker/compose.yaml', import.meta.url));

/** Describes the fields of the compose file that the tests read. */
interface Compose {
  readonly services: Readonly<Record<string, ComposeService | undefined>>;
  readonly secrets: Readonly<Record<string, object>>;
}

export interface ComposeService {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly build?: { readonly dockerfile_inline?: string };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks: readonly string[];
}

export const COMPOSE = parse(readFileSync(FILE, 'utf8'), { merge: true }) as Compose; // compose.spec.ts checks what it reads

/**
 * Returns the names of the host's environment variables that the compose file reads, such as `NAME` in
 * `${NAME:-default}`.
 */
export function listComposeHostVariables(): ReadonlySet<string> {
  return new Set(
    collectStrings(COMPOSE).flatMap((text) => [...text.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name)),
  );
}

/** Returns all strings in a value, at any depth. */
function collectStrings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectStrings) : [];
}
