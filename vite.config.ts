import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env.SLUICE_URL ?? 'http://localhost:3000';

/** The console: `web/index.html` and all it loads, built to `dist/web`; files under `assets/` carry a hash, the others do not. */
export default defineConfig({
  root: 'web',
  publicDir: 'static',
  plugins: [react()],
  // Small pictures stay files: the content security policy allows no data: scripts or fonts.
  build: { outDir: '../dist/web', emptyOutDir: true, assetsInlineLimit: 0, target: 'es2023', modulePreload: { polyfill: false } },
  server: {
    proxy: Object.fromEntries(['/api', '/team-login', '/admin', '/ampl', '/help', '/docs'].map((path) => [path, { target: server }])),
  },
});
