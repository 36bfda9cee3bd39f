import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';
import { HELP } from './contract/console-constants.ts';
import { LANDING_PAGE_SCRIPT } from './contract/landing-page-script.ts';

const server = process.env.SLUICE_URL ?? 'http://localhost:3000';
const outDir = join(import.meta.dirname, 'dist/web');

/** Writes `.gz` and `.br` beside every text file: the server sends them as they are and compresses nothing itself. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async closeBundle() {
      await buildScript('drawcard', 'drawcard', 'drawcard.js');
      await buildScript('landing-page', 'sluiceLandingPage', LANDING_PAGE_SCRIPT.slice(1));
      await buildScript('help', 'sluiceHelpScript', HELP.scriptPath.slice(1));
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(html|js|css|svg)$/.test(name)) continue;
        const path = join(outDir, name);
        const content = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
      }
    },
  };
}

/** A script without imports, for pages that are not the console's: they may know nothing of modules, and its names must not become theirs. */
async function buildScript(folder: string, name: string, path: string): Promise<void> {
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'web', folder),
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry: 'main.ts', formats: ['iife'], name, fileName: () => path },
    },
  });
}

/** The console: `web/index.html` and all it loads, built to `dist/web`; files under `assets/` carry a hash, the others do not. */
export default defineConfig({
  root: 'web',
  publicDir: 'static',
  plugins: [react(), precompress()],
  // Nothing is inlined: the content security policy allows no data: fonts. ECharts is one big chunk on purpose, loaded with the first chart.
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 550,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/team-login', '/admin', '/ampl', '/help', '/landing', '/docs'].map((path) => [path, { target: server }]),
    ),
  },
});
