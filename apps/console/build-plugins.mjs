import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** The CSS statement that orders the cascade layers, as in src/styles/tokens.css. */
const LAYERS = '@layer tokens,base,components,screens;';

/**
 * Creates a plugin that declares the order of the cascade layers at the start of the stylesheet, because the bundle can
 * begin with the rules of any layer.
 */
export function createLayerOrderPlugin() {
  return {
    name: 'declare-layers',
    apply: 'build',
    generateBundle: {
      // Vite adds the stylesheet to the bundle in its own hook.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.fileName.endsWith('.css')) file.source = `${LAYERS}${file.source}`;
        }
      },
    },
  };
}

const COMPRESSIBLE = /\.(js|css|svg)$/;

/**
 * Creates a plugin that writes compressed copies (.br and .gz) of the hashed files, so that the gateway compresses
 * nothing.
 */
export function createCompressionPlugin() {
  let folder = '';
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir, build.assetsDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder).filter((file) => COMPRESSIBLE.test(file))) {
        const content = readFileSync(join(folder, name));
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}

/**
 * Creates a plugin that adds <base> to the page in the development server, as the gateway does. Addresses with several
 * segments need it.
 */
export function createDevelopmentBasePlugin() {
  return {
    name: 'set-development-base',
    apply: 'serve',
    transformIndexHtml: (page) => page.replace('<base href="./" />', '<base href="/" />'),
  };
}
