import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig, type Plugin } from 'vite'

import { guidePages } from './src/build/guide-pages.ts'
import { licenceNotices } from './src/build/licence-notices.ts'
import { placeOfBuild, putInPlace } from './src/build/put-in-place.ts'
import { withoutSummaries } from './src/build/without-summaries.ts'

/** Compresses served files once, as small as possible, rather than at every request. */
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

/** Keeps the manifest out of what is served, and tells each module's file to the size budget. */
const keepManifestAside = (folder: string, file: string, modulesFile: string): Plugin => ({
  name: 'keep-manifest-aside',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const fileOf = Object.values(bundle).flatMap((made) =>
      made.type === 'chunk'
        ? made.moduleIds
            .map((id) => relative(process.cwd(), id).split(sep).join('/'))
            .filter((id) => id.startsWith('src/'))
            .map((id) => [id, made.fileName] as const)
        : [],
    )
    if (fileOf.length > 0) writeFileSync(modulesFile, JSON.stringify(Object.fromEntries(fileOf)))
  },
  closeBundle() {
    const made = join(folder, '.vite', 'manifest.json')
    // A build that failed has none, and says itself why.
    if (!existsSync(made)) return
    renameSync(made, file)
    rmSync(join(folder, '.vite'), { recursive: true })
  },
})

// `vite build` makes the pages (dist/client), `vite build --ssr` the server (dist/server).
const serverEntries = {
  main: 'src/server/main.ts',
  'embedded-engine-process': 'src/server/db/engine/embedded-engine-process.ts',
  backup: 'src/server/backup/backup-command.ts',
  restore: 'src/server/backup/restore-command.ts',
  import: 'src/server/imports/import-command.ts',
  environment: 'src/server/environments/environment-command.ts',
  doctor: 'src/server/installation/doctor-command.ts',
}

// `--mode faults` adds the server that its tests need (tests/faults/fail-point-server.ts).
const entriesOf = (mode: string) =>
  mode === 'faults'
    ? { ...serverEntries, 'fail-point-server': 'tests/faults/fail-point-server.ts' }
    : serverEntries

/** A first visit loads few files; each takes what its modules need and no earlier one has. */
const travelTogether = [
  // The door, with what stands behind it as well, so that who is signed in loads no sign-in page.
  /src\/client\/(main|app\/screens|ui\/screen-skeleton|session\/user-data)\.tsx?$|(TextInput\/TextInput|ActionIcon\/ActionIcon|Anchor\/Anchor|use-uncontrolled|IconCloudOff)\.mjs$/,
  /src\/client\/session\/login-screen\.tsx$/,
  /src\/client\/app\/signed-in-frame\.tsx$/,
  /src\/client\/home\/home-screen\.tsx$/,
  /src\/client\/(ui\/lists\/(resource-table|row-buttons|row-actions)|loans\/loan-data)\.tsx?$/,
  // « Annuler » is there before the network goes.
  /src\/client\/(app\/(afterwards|(late|arrival|picking)-count|later-work|house-words|(account|group)-menu)|reservations\/shelf-data|page\/keep-awake|ui\/install-prompt|home\/(lane-undo|offline-banner)|loans\/mass-mail-progress)\.tsx?$|src\/domain\/code-shapes\.ts$|workbox-window/,
  /src\/client\/home\/(due-tables|lane-list|reader-card|scan-options)\.tsx$/,
  /src\/client\/(ui\/(lists\/list-screen|job-progress|acts|begun)|loans\/use-loan-actions)\.tsx?$/,
  /src\/client\/ui\/(forms\/(form-dialog|use-form|use-local-form)|lists\/resource-screen)\.tsx?$/,
].map((test, at, all) => ({ name: `part-${at}`, test, priority: all.length - at }))

const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string
  /** What the built server needs beside it: binaries, and files that are read while it runs. */
  dependencies: Record<string, string>
}
const [, versionDay = ''] = /^## \d\S* — (.+)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? []
const clientFolder = 'dist/client'
const serverFolder = (mode: string) => (mode === 'faults' ? 'dist/faults' : 'dist/server')

export default defineConfig(({ isSsrBuild, mode }) => {
  const folder = isSsrBuild ? serverFolder(mode) : clientFolder
  const place = placeOfBuild(folder)
  const licences = licenceNotices(join(place, 'licences.txt'))
  return {
    plugins: isSsrBuild
      ? [licences.gather(), licences.write(), putInPlace(folder)]
      : [
          react(),
          withoutSummaries(),
          licences.gather(),
          guidePages('docs/guide', join(place, 'guide')),
          precompress(join(place, 'assets')),
          keepManifestAside(place, 'dist/client-manifest.json', 'dist/client-modules.json'),
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
              // The guide is read with a network; the other decoder is fetched only where WebAssembly cannot run.
              globIgnores: ['**/screenshots/**', 'guide/**', '**/decoder-js-worker*'],
              maximumFileSizeToCacheInBytes: 3_000_000,
              buildPlugins: { vite: [licences.gather()] },
            },
          }),
          licences.write(),
          putInPlace(folder),
        ],
    // Each worker is a build of its own.
    worker: { plugins: () => [licences.gather()] },
    // Its libraries travel in the server's own files: to open those of two thousand modules took half of a start.
    ssr: { noExternal: true, external: [...Object.keys(dependencies), 'vite'] },
    define: {
      __APP_VERSION__: JSON.stringify(version),
      __APP_VERSION_DAY__: JSON.stringify(versionDay),
    },
    publicDir: isSsrBuild ? false : 'public',
    build: isSsrBuild
      ? {
          outDir: place,
          target: 'node20',
          sourcemap: true,
          // Read from a disk, not sent to a phone.
          chunkSizeWarningLimit: Infinity,
          rollupOptions: {
            input: entriesOf(mode),
            output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
          },
        }
      : {
          outDir: place,
          manifest: true,
          target: 'es2022',
          sourcemap: false,
          rollupOptions: {
            // Names of hashes alone make each first load a kilobyte smaller.
            output: {
              chunkFileNames: 'assets/[hash].js',
              codeSplitting: { groups: travelTogether },
            },
            // Its modules only define; without this the camera would load every format it knows to write.
            treeshake: { moduleSideEffects: (id: string) => !id.includes('@zxing/') },
          },
        },
  }
})
