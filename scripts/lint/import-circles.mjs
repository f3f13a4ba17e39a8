// ESLint rule: no import circles, neither between the files of a package nor between the folders of its `src`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Matches relative imports and re-exports, also of types, and dynamic imports. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;
const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;

/** The imports of each file, by package; read once per process. */
const graphs = new Map();

export const importCircles = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      files: 'These files import each other in a circle: {{path}}. Move what they share into a file of its own.',
      folders: 'These folders import each other in a circle: {{path}}. Move the file that closes it.',
    },
  },
  create(context) {
    const file = context.filename;
    const root = packageOf(file);
    if (root === undefined || isTest(file)) return {};
    return {
      Program(program) {
        const files = new Map(graphOf(root)).set(file, importsIn(context.sourceCode.text, file));
        const folders = foldersOf(root, files);
        for (const node of program.body.filter((statement) => statement.source?.value.startsWith('.'))) {
          const target = targetOf(node.source.value, file);
          const circle = findPath(files, target, file);
          if (circle !== undefined) report(context, node, 'files', [file, ...circle], (name) => relative(root, name));
          const [from, to] = [folderOf(root, file), folderOf(root, target)];
          if (from === undefined || to === undefined || from === to || isTest(target)) continue;
          const way = findPath(folders, to, from);
          if (way !== undefined) report(context, node, 'folders', [from, ...way], (name) => name);
        }
      },
    };
  },
};

function report(context, node, messageId, names, show) {
  context.report({ node, messageId, data: { path: names.map(show).join(' → ') } });
}

/** Returns the folder of the nearest tsconfig.json: of a package or of the benchmarks. */
function packageOf(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'tsconfig.json'))) return folder;
  return undefined;
}

/** Specs and test doubles import what they test, in any direction. */
function isTest(file) {
  return file.endsWith('.spec.ts') || file.includes(`${sep}testing${sep}`);
}

function graphOf(root) {
  const known = graphs.get(root);
  if (known !== undefined) return known;
  const graph = new Map(sourcesIn(root).map((file) => [file, importsIn(readFileSync(file, 'utf8'), file)]));
  graphs.set(root, graph);
  return graph;
}

function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesIn(path);
    return path.endsWith('.ts') && !isTest(path) ? [path] : [];
  });
}

function importsIn(text, file) {
  return new Set([...text.replace(COMMENT, '').matchAll(IMPORT)].map(([, name]) => targetOf(name, file)));
}

function targetOf(name, file) {
  return resolve(dirname(file), name).replace(/\.js$/, '.ts');
}

/** Returns the folder below `src` that contains a file; undefined for files directly in `src`. */
function folderOf(root, file) {
  const segments = relative(root, file).split(sep);
  return segments[0] === 'src' && segments.length > 2 ? segments[1] : undefined;
}

function foldersOf(root, files) {
  const folders = new Map();
  for (const [file, targets] of files) {
    const from = folderOf(root, file);
    if (from === undefined) continue;
    const found = folders.get(from) ?? new Set();
    folders.set(from, found);
    for (const target of targets) {
      const to = folderOf(root, target);
      if (to !== undefined && to !== from && !isTest(target)) found.add(to);
    }
  }
  return folders;
}

/** Returns the shortest path from `start` to `end`, both included; undefined when there is none. */
function findPath(graph, start, end) {
  const cameFrom = new Map([[start, undefined]]);
  for (const node of cameFrom.keys()) {
    if (node === end) return trace(cameFrom, node);
    for (const next of graph.get(node) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, node);
  }
  return undefined;
}

function trace(cameFrom, end) {
  const path = [];
  for (let node = end; node !== undefined; node = cameFrom.get(node)) path.unshift(node);
  return path;
}
