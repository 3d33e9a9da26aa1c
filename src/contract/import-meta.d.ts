// What a build puts in place of `import.meta.env`; nothing is there where the sources run as they are.
interface ImportMetaEnv {
  readonly VITE_API_BASE?: string
}

interface ImportMeta {
  readonly env: ImportMetaEnv
}
