// ESLint rule: no import cycles, neither between the files of a package nor between the folders of its `src`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Matches relative imports and re-exports, including those of types, and dynamic imports. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;
const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;

/** Caches the import graph of each package: a map from each file to the files that it imports. */
const graphs = new Map();

export const importCycles = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      files: 'These files import each other in a cycle: {{path}}. Move what they share into a file of its own.',
      folders: 'These folders import each other in a cycle: {{path}}. Move one of the files that close the cycle.',
    },
  },
  create(context) {
    const file = context.filename;
    const root = findPackageRoot(file);
    if (root === undefined || isTestFile(file)) return {};
    return {
      Program(program) {
        const files = new Map(loadImportGraph(root)).set(file, listImports(context.sourceCode.text, file));
        const folders = buildFolderGraph(root, files);
        for (const node of program.body.filter((statement) => statement.source?.value.startsWith('.'))) {
          const target = resolveImport(node.source.value, file);
          const cycle = findShortestPath(files, target, file);
          if (cycle !== undefined)
            reportCycle(context, node, 'files', [file, ...cycle], (name) => relative(root, name));
          const [from, to] = [getSourceFolder(root, file), getSourceFolder(root, target)];
          if (from === undefined || to === undefined || from === to || isTestFile(target)) continue;
          const way = findShortestPath(folders, to, from);
          if (way !== undefined) reportCycle(context, node, 'folders', [from, ...way], (name) => name);
        }
      },
    };
  },
};

function reportCycle(context, node, messageId, names, show) {
  context.report({ node, messageId, data: { path: names.map(show).join(' → ') } });
}

/** Returns the folder of the nearest tsconfig.json above a file, which is the root of its package. */
function findPackageRoot(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'tsconfig.json'))) return folder;
  return undefined;
}

/** Returns true for specs and test doubles, whose imports are not checked. */
function isTestFile(file) {
  return /\.spec\.tsx?$/.test(file) || file.includes(`${sep}testing${sep}`);
}

function loadImportGraph(root) {
  const known = graphs.get(root);
  if (known !== undefined) return known;
  const graph = new Map(listSourceFiles(root).map((file) => [file, listImports(readFileSync(file, 'utf8'), file)]));
  graphs.set(root, graph);
  return graph;
}

function listSourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : listSourceFiles(path);
    return /\.tsx?$/.test(path) && !isTestFile(path) ? [path] : [];
  });
}

function listImports(text, file) {
  return new Set([...text.replace(COMMENT, '').matchAll(IMPORT)].map(([, name]) => resolveImport(name, file)));
}

/** Returns the path of the source file that an import refers to: `.ts`, or `.tsx` if that file exists. */
function resolveImport(name, file) {
  const path = resolve(dirname(file), name).replace(/\.js$/, '.ts');
  return existsSync(`${path}x`) ? `${path}x` : path;
}

/** Returns the folder below `src` that contains a file; undefined for files directly in `src`. */
function getSourceFolder(root, file) {
  const segments = relative(root, file).split(sep);
  return segments[0] === 'src' && segments.length > 2 ? segments[1] : undefined;
}

function buildFolderGraph(root, files) {
  const folders = new Map();
  for (const [file, targets] of files) {
    const from = getSourceFolder(root, file);
    if (from === undefined) continue;
    const found = folders.get(from) ?? new Set();
    folders.set(from, found);
    for (const target of targets) {
      const to = getSourceFolder(root, target);
      if (to !== undefined && to !== from && !isTestFile(target)) found.add(to);
    }
  }
  return folders;
}

/** Returns the shortest path from `start` to `end`, both included; undefined when there is none. */
function findShortestPath(graph, start, end) {
  const cameFrom = new Map([[start, undefined]]);
  for (const node of cameFrom.keys()) {
    if (node === end) return reconstructPath(cameFrom, node);
    for (const next of graph.get(node) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, node);
  }
  return undefined;
}

function reconstructPath(cameFrom, end) {
  const path = [];
  for (let node = end; node !== undefined; node = cameFrom.get(node)) path.unshift(node);
  return path;
}
