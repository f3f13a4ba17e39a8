import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Manifest } from './manifest.js';

const PACKAGES: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)keda\.sh\//, '@kubernetes-models/keda/'],
  [/^gateway\.networking\.k8s\.io\//, '@kubernetes-models/gateway-api/'],
  [/^monitoring\.coreos\.com\//, '@kubernetes-models/prometheus-operator/'],
];
const FILE = fileURLToPath(new URL('./rendered-manifests.ts', import.meta.url));

/**
 * Type-checks manifests against the types in the `kubernetes-models` packages. The manifests are checked as object
 * literals, in which TypeScript reports unknown fields.
 *
 * @returns one line per type error
 */
export function findManifestTypeErrors(manifests: readonly Manifest[]): readonly string[] {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const source = ts.createSourceFile(FILE, manifests.map(buildManifestSource).join('\n'), ts.ScriptTarget.ES2024, true);
  const program = ts.createProgram([FILE], options, {
    ...host,
    fileExists: (path) => path === FILE || host.fileExists(path),
    getSourceFile: (path, ...rest) => (path === FILE ? source : host.getSourceFile(path, ...rest)),
  });
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText, start = 0 }) => {
      const { line } = source.getLineAndCharacterOfPosition(start);
      const { kind, metadata } = manifests[Math.floor(line / LINES_EACH)] ?? { kind: '?', metadata: { name: '?' } };
      return `${kind} ${metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    },
  );
}

const LINES_EACH = 2;

/** Builds TypeScript source that assigns a manifest, as an object literal, to a constant with the type of its model. */
function buildManifestSource(manifest: Manifest, index: number): string {
  const { apiVersion, kind } = manifest;
  const from = PACKAGES.find(([pattern]) => pattern.test(apiVersion))?.[1] ?? 'kubernetes-models/';
  return `import type { I${kind} as T${index} } from '${from}${apiVersion}';\nexport const m${index}: T${index} = ${JSON.stringify(manifest)};`;
}

/** Validates a manifest against the JSON schema of its model. @returns the problem; undefined for a valid manifest */
export async function findSchemaProblem(manifest: Manifest): Promise<string | undefined> {
  const { apiVersion, kind, metadata } = manifest;
  const from = PACKAGES.find(([pattern]) => pattern.test(apiVersion))?.[1] ?? 'kubernetes-models/';
  const models = (await import(`${from}${apiVersion}`)) as Record<string, ModelOf | undefined>; // one class per kind
  const Model = models[kind];
  if (Model === undefined) return `${kind} ${metadata.name}: expected a model of ${apiVersion}, found none`;
  try {
    new Model(manifest).validate();
    return undefined;
  } catch (error) {
    return `${kind} ${metadata.name}: ${String(error)}`;
  }
}

type ModelOf = new (data: object) => { validate(): void };
