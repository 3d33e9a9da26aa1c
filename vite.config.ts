import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import type { Plugin } from 'vite'

/** Writes what is served compressed beside each file once, as small as it gets, rather than at every request. */
const precompress = (folder: string): Plugin => ({
  name: 'precompress',
  apply: 'build',
  enforce: 'post',
  closeBundle: {
    order: 'post',
    sequential: true,
    handler() {
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|wasm|svg)$/.test(name)) continue
        const bytes = readFileSync(join(folder, name))
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  },
})

// `vite build` makes the pages (dist/client), `vite build --ssr` the server (dist/server).
const serverEntries = {
  main: 'src/server/main.ts',
  'embedded-engine-process': 'src/server/db/embedded-engine-process.ts',
  backup: 'src/server/backup/backup-command.ts',
  restore: 'src/server/backup/restore-command.ts',
}

// With `--mode faults`, beside the server as it is shipped, the same with what its tests need (tests/faults/fail-point-server.ts).
const entriesOf = (mode: string) =>
  mode === 'faults'
    ? { ...serverEntries, 'fail-point-server': 'tests/faults/fail-point-server.ts' }
    : serverEntries

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const prepareDatabases = 'tests/support/prepare-databases.ts'
const serverTests = ['tests/**/*.db.test.{ts,tsx}']
const browserTests = ['tests/journeys/**/*.test.ts']
const faultTests = ['tests/faults/**/*.test.ts', 'tests/hostile/others-are-served.test.ts']

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: isSsrBuild
    ? []
    : [
        react(),
        precompress('dist/client/assets'),
        VitePWA({
          strategies: 'injectManifest',
          srcDir: 'sw',
          filename: 'sw.ts',
          registerType: 'prompt',
          injectRegister: null,
          manifest: false,
          injectManifest: {
            rollupFormat: 'iife',
            globPatterns: ['**/*.{js,css,html,svg,png,webp,wasm,webmanifest,woff2}'],
            // The JavaScript decoder serves only where WebAssembly cannot run: it is fetched when that happens.
            globIgnores: ['**/screenshots/**', '**/decoder-js-worker*'],
            maximumFileSizeToCacheInBytes: 3_000_000,
          },
        }),
      ],
  define: { __APP_VERSION__: JSON.stringify(version) },
  publicDir: isSsrBuild ? false : 'public',
  build: isSsrBuild
    ? {
        outDir: mode === 'faults' ? 'dist/faults' : 'dist/server',
        target: 'node20',
        sourcemap: true,
        rollupOptions: {
          input: entriesOf(mode),
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      }
    : {
        outDir: 'dist/client',
        manifest: true,
        target: 'es2022',
        sourcemap: false,
        rollupOptions: {
          // Its modules only define; without this the camera would load every format it knows to write.
          treeshake: { moduleSideEffects: (id: string) => !id.includes('@zxing/') },
        },
      },
  test: {
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // What is waited for comes, and later where the machine is busy.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [...serverTests, ...browserTests, ...faultTests],
          setupFiles: ['tests/support/page-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: serverTests,
          globalSetup: [prepareDatabases],
          setupFiles: ['tests/support/page-setup.ts'],
          env: { TEST_ENGINE: 'embedded' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          // Screens run on one engine: what they show does not depend on it.
          include: ['tests/**/*.db.test.ts'],
          globalSetup: [prepareDatabases],
          env: { TEST_ENGINE: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: browserTests,
          testTimeout: 300_000,
          globalSetup: ['tests/support/build-once.ts', prepareDatabases],
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: faultTests,
          testTimeout: 300_000,
          globalSetup: ['tests/support/build-once.ts', 'tests/faults/build-server.ts', prepareDatabases],
        },
      },
    ],
  },
}))
