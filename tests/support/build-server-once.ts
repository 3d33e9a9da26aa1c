export { buildServerOnce as default } from './build-once.ts'
