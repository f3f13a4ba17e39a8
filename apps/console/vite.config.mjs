import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { createCompressionPlugin, createLayerOrderPlugin, createDevelopmentBasePlugin } from './build-plugins.mjs';

/** The address of a running Quarry. The development server forwards API requests to it. */
const API = process.env.QUARRY_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  // Relative addresses of assets work below every path prefix. The gateway sets <base> for addresses with several
  // segments.
  base: './',
  plugins: [react(), createLayerOrderPlugin(), createCompressionPlugin(), createDevelopmentBasePlugin()],
  resolve: { conditions: ['@quarry/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    // The Content-Security-Policy forbids data: addresses of scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    // One stylesheet for all screens: Vite loads no stylesheet again that has once failed to load.
    cssCodeSplit: false,
  },
  server: { proxy: { '/api': API, '/docs': API, '/openapi.json': API } },
});
